import type { Measured } from './measured.ts';
import type { Trial } from './trial.ts';
import type { TrialEvidence } from './trial-evidence.ts';

/** One observer's part; where it is absent, the reason. */
export function observed<K extends keyof TrialEvidence>(
  { evidence }: Pick<Trial, 'evidence'>,
  kind: K,
): TrialEvidence[K] | Measured<never> {
  return evidence.status === 'measured' ? evidence.value[kind] : evidence;
}
