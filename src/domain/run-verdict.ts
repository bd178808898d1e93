import type { Aggregate } from './aggregate.ts';

/** What a whole run comes to; the graver finding decides. `incomplete`: something that was to be shown has no result. */
export type RunVerdict = 'as-expected' | 'not-as-expected' | 'incomplete';

/**
 * The one judgement that headline, exit status, step, check and comment share. An unexpected end stands, whatever else
 * is missing. Drift across arms leaves each arm's own result and voids what a run of several arms is for, comparing them.
 */
export function runVerdictOf({ arms, drift }: Aggregate): RunVerdict {
  // a skipped arm was not to run: it is neither for nor against
  const due = arms.filter(({ status }) => status !== 'skipped');
  const verdicts = due.map((arm) => (arm.status === 'complete' ? arm.verdict : 'inconclusive'));
  if (verdicts.includes('not-as-expected')) return 'not-as-expected';
  // an experiment that ran nothing has shown nothing
  if (verdicts.length === 0 || drift.length > 0) return 'incomplete';
  return verdicts.includes('inconclusive') ? 'incomplete' : 'as-expected';
}
