import type { Aggregate } from '../../../src/domain/aggregate.ts';
import type { ChartInput, Theme } from '../../../src/domain/chart.ts';
import type { Trial, TrialReport } from '../../../src/domain/trial.ts';
import { metrics } from '../../../src/metrics/index.ts';
import { drainedTrial, event, exact, flow, pod, receipt, rehomed, successor } from '../metrics/example-trial.ts';
import { toldBy, written } from '../../fixtures/trial-evidence.ts';
import { aggregateOf, armOf, publishedArms, reportOf } from '../report/example-reports.ts';

/** A drained trial with all that a cluster tells, near times included. */
export const busyTrial: Trial = {
  ...drainedTrial,
  timeline: [
    event('pod-ready', receipt(-3700), { pod }),
    event('trigger-issued', exact(0), { trigger: 'delete', pod }),
    event('trigger-accepted', receipt(9.1), { trigger: 'delete' }),
    event('pod-terminating', receipt(7.9), { pod }),
    written(event('endpoint-not-ready', receipt(24), { pod, serving: true, terminating: true }), 4),
    event('sigterm-received', exact(40), { pod }),
    event('readiness-withdrawn', exact(40.2), { pod }),
    event('endpoint-not-ready', receipt(460), { pod, serving: false, terminating: true }),
    event('pod-ready', receipt(1525), { pod: successor }),
    event('endpoint-ready', receipt(1557), { pod: successor }),
    event('close-announced', exact(25_041), { pod, connections: 2 }),
    event('probe-exiting', exact(25_045), { pod, exitCode: 0 }),
    event('container-terminated', receipt(25_289), { pod, exitCode: 0, signal: null, reason: 'Completed' }),
    written(event('endpoint-removed', receipt(25_296), { pod }), 7),
    event('pod-deleted', receipt(25_500), { pod }),
  ],
  flows: [
    flow(
      'tcp',
      { kind: 'drained-clean-close', at: { tMs: 25_041, precision: { kind: 'bounded', earlyMs: 14, lateMs: 0 } } },
      toldBy('fin', 25_041, 0.5),
    ),
    flow('tcp', { kind: 'drained-clean-close', at: exact(25_043) }),
    flow('tcp', { kind: 'survived-observation-window' }),
    rehomed(2_421),
    rehomed(2_417),
    flow(
      'udp',
      { kind: 'severed', by: 'icmp-unreachable', at: exact(1_200) },
      { rehomed: { to: successor, at: exact(2_430) } },
    ),
    flow('udp', { kind: 'not-measured', reason: 'never opened' }),
  ],
};

/** Trial `repeat` of an arm of the example aggregate. */
export const busyReport = (repeat: number, scenario: string, changes: Partial<Trial> = {}): TrialReport => {
  const id = `${scenario}.iptables`;
  return reportOf({
    ...busyTrial,
    id: `${id}-0${repeat}`,
    arm: { ...busyTrial.arm, id, scenario },
    repeat,
    ...changes,
  });
};

const split = armOf('drain-ready', {
  tcp: [
    { outcome: 'severed (rst)', flows: 7 },
    { outcome: 'read-timeout', flows: 3 },
  ],
  udp: [
    { outcome: 'severed (icmp-unreachable)', flows: 6 },
    { outcome: 'severed (silence)', flows: 4 },
  ],
  udpRehomed: 9,
  repeats: 2,
  values: {
    'new-tcp-failure-window': [205, 0],
    'dead-endpoint-window': [12.5, -4],
    'drain-left-at-udp-rehome': [0.4],
    'trigger-to-rules-changed': [1_893, 1_240],
    'tcp-end-detection': [0.4, 1.2],
  },
});

/** The published run, and an arm whose flows ended in many ways. */
export const exampleAggregate: Aggregate = aggregateOf({ arms: [...publishedArms, split] });

export const exampleInput = (theme: Theme, changes: Partial<ChartInput> = {}): ChartInput => ({
  aggregate: exampleAggregate,
  reports: exampleAggregate.arms.flatMap(({ arm }) => [1, 2, 3].map((repeat) => busyReport(repeat, arm.scenario))),
  metrics,
  theme,
  ...changes,
});
