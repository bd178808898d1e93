import type { Plan, PlannedArm } from './plan.ts';
import type { TrialRequest } from './run-trial.ts';

/** Preflight changes a label, after which a kubelet may take a second to act on a deletion (its PLEG relists each second). */
const warmUpSettleSeconds = 3;

/**
 * The termination that precedes the first trial of a fresh cluster: the arm's own workload, which exits at once, so
 * that images, caches, conntrack and the control plane's code paths are warm. It is recorded as a warm-up and never averaged.
 */
export function warmUpFor(
  planned: PlannedArm,
  { conditions }: Plan,
): Omit<TrialRequest, 'workloadName' | 'firstOnCluster'> {
  const expects = { tcp: { kind: 'severed' }, exitCode: 0 } as const;
  return {
    id: `${planned.arm.id}-warm-up`,
    planned: {
      ...planned,
      scenario: { ...planned.scenario, behavior: 'exit-now', expects },
      expectsUnder: () => expects,
    },
    repeat: 0,
    purpose: 'warm-up',
    isolation: { lanes: 1, spacingMs: null },
    conditions: { ...conditions, settleSeconds: Math.min(conditions.settleSeconds, warmUpSettleSeconds) },
  };
}
