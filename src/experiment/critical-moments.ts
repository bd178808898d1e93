import type { CriticalMoment } from '../domain/quality.ts';
import type { Scenario } from '../domain/scenario.ts';
import type { Conditions } from '../domain/trial.ts';
import type { Trigger } from '../domain/trigger.ts';
import { endingSeconds } from './plan.ts';

/**
 * From the trigger to the re-homing of UDP flows: a replacement's endpoint is ready after 1.2 to 1.4 s, and kube-proxy
 * may act a whole minSyncPeriod (1 s by default) later.
 */
const replacementMs = 2_700;
/** SIGTERM, ready=false and what kube-proxy makes of it, where nothing replaces the pod. */
const withoutReplacementMs = 1_500;
/** From just before the announced close, or SIGKILL, to the endpoint's removal from every table. */
const end = { beforeMs: 200, afterMs: 1_300 } as const;

/** When the happenings that a trial measures are due. */
export function criticalMoments(
  scenario: Scenario,
  trigger: Pick<Trigger, 'isReplaced'>,
  conditions: Conditions,
): readonly CriticalMoment[] {
  const atTrigger: CriticalMoment = {
    moment: 'trigger',
    fromMs: 0,
    toMs: trigger.isReplaced ? replacementMs : withoutReplacementMs,
  };
  const endMs = endingSeconds(scenario, conditions) * 1000;
  if (endMs <= atTrigger.toMs) return [{ ...atTrigger, toMs: Math.max(atTrigger.toMs, endMs + end.afterMs) }];
  return [atTrigger, { moment: 'end', fromMs: endMs - end.beforeMs, toMs: endMs + end.afterMs }];
}
