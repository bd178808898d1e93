/** One difference that a user of the cluster would notice, or that there is none. */
export interface LevelSentence {
  /** Whether an exact test supports it; what was only seen says so. */
  readonly supported: boolean;
  readonly text: string;
}
