import { exitStatuses, statusOfAggregate } from '../assembly/exit-status.ts';
import type { Aggregate, ArmResult, OutcomeCount } from '../domain/aggregate.ts';
import type { CommentState } from '../github/comment-marker.ts';
import type { FailureRule } from './publication-inputs.ts';

/** `incomplete`: an arm has no result. The graver one of several counts. */
export type Verdict = 'as-expected' | 'not-as-expected' | 'incomplete';

export function verdictOf(aggregate: Aggregate): Verdict {
  switch (statusOfAggregate(aggregate)) {
    case exitStatuses.asExpected:
      return 'as-expected';
    case exitStatuses.notAsExpected:
      return 'not-as-expected';
    default:
      return 'incomplete';
  }
}

/** Whether the result fails the step. A run without any result has shown nothing, and passes under no rule but `never`. */
export function failsStep(aggregate: Aggregate, rule: FailureRule): boolean {
  const verdict = verdictOf(aggregate);
  if (rule === 'never' || verdict === 'as-expected') return false;
  const isEmpty = aggregate.arms.every(({ status }) => status !== 'complete');
  return verdict === 'not-as-expected' || rule === 'inconclusive' || isEmpty;
}

export const conclusionOf = (aggregate: Aggregate, rule: FailureRule): 'success' | 'failure' | 'neutral' =>
  verdictOf(aggregate) === 'as-expected' ? 'success' : failsStep(aggregate, rule) ? 'failure' : 'neutral';

export const commentStateOf = (aggregate: Aggregate): CommentState =>
  verdictOf(aggregate) === 'as-expected' ? 'clear' : 'alarm';

/** What makes two results the same for `on-change`: how everything ended, and no time, which differs in each run. */
export const fingerprintOf = ({ arms }: Aggregate): string => JSON.stringify(arms.map(endings));

function endings(arm: ArmResult) {
  if (arm.status !== 'complete') return { arm: arm.arm.id, status: arm.status };
  const counts = (list: readonly OutcomeCount[]) => list.map(({ outcome, flows }) => `${flows} ${outcome}`).toSorted();
  const trials = arm.trials.map(({ tcp, udp, exitCode }) => JSON.stringify([counts(tcp), counts(udp), exitCode]));
  return { arm: arm.arm.id, verdict: arm.verdict, trials: [...new Set(trials)].toSorted() };
}
