import type { Aggregate, ArmResult, OutcomeCount } from '../domain/aggregate.ts';
import { runVerdictOf } from '../domain/run-verdict.ts';
import type { CommentState } from '../github/comment-marker.ts';
import type { FailureRule } from './publication-inputs.ts';

/** Whether the result fails the step. A run without any result has shown nothing, and passes under no rule but `never`. */
export function failsStep(aggregate: Aggregate, rule: FailureRule): boolean {
  const verdict = runVerdictOf(aggregate);
  if (rule === 'never' || verdict === 'as-expected') return false;
  const isEmpty = aggregate.arms.every(({ status }) => status !== 'complete');
  return verdict === 'not-as-expected' || rule === 'inconclusive' || isEmpty;
}

export const conclusionOf = (aggregate: Aggregate, rule: FailureRule): 'success' | 'failure' | 'neutral' =>
  runVerdictOf(aggregate) === 'as-expected' ? 'success' : failsStep(aggregate, rule) ? 'failure' : 'neutral';

export const commentStateOf = (aggregate: Aggregate): CommentState =>
  runVerdictOf(aggregate) === 'as-expected' ? 'clear' : 'alarm';

/** What makes two results the same for `on-change`: how everything ended, and no time, which differs in each run. */
export const fingerprintOf = (aggregate: Aggregate): string =>
  JSON.stringify([runVerdictOf(aggregate), ...aggregate.arms.map(endings)]);

function endings(arm: ArmResult) {
  if (arm.status !== 'complete') return { arm: arm.arm.id, status: arm.status };
  const counts = (list: readonly OutcomeCount[]) => list.map(({ outcome, flows }) => `${flows} ${outcome}`).toSorted();
  const trials = arm.trials.map(({ tcp, udp, exitCode }) => JSON.stringify([counts(tcp), counts(udp), exitCode]));
  return { arm: arm.arm.id, verdict: arm.verdict, trials: [...new Set(trials)].toSorted() };
}
