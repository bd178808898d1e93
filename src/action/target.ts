import type { EventContext } from '../github/event-context.ts';

/** What a result is about, and where it may be told of. */
export interface Target {
  /** The commit that the result belongs to. */
  readonly headSha: string;
  /** Null where there is none to comment on. */
  readonly pullRequest: number | null;
  /** The commit's author is not trusted, nor is what a run of the commit says. */
  readonly isFork: boolean;
}

export const targetOf = (event: EventContext): Target => ({
  headSha: event.headSha,
  pullRequest: event.kind === 'pull-request' ? event.pullRequest : null,
  isFork: event.isFork,
});
