import type { Aggregate } from '../../../src/domain/aggregate.ts';
import { notMeasured } from '../../../src/domain/measured.ts';
import { aggregateOf, publishedArms } from './example-reports.ts';
import { leveledAggregate, modeArms } from './level-examples.ts';

/** Fields whose values are names of this project's own, checked by the schema. */
const closed = new Set([
  'status',
  'verdict',
  'clock',
  'role',
  'startedAt',
  'clusterReuse',
  'metric',
  'precisions',
  'scenario',
  'cause',
  'factor',
  'aspect',
  'finding',
  'protocol',
]);

const replaced = (value: unknown, text: () => string): unknown => {
  if (typeof value === 'string') return text();
  if (Array.isArray(value)) return value.map((one) => replaced(one, text));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, closed.has(key) ? one : replaced(one, text)]),
  );
};

const [exitNow, drain] = publishedArms;

/** Every free text that a report shows, in every place in which it may stand. */
const everything: Aggregate = aggregateOf({
  comparisons: leveledAggregate(modeArms).comparisons,
  drift: ['client kernel differs'],
  failedAttempts: [{ trial: 'drain.iptables-01', reason: 'no route' }],
  arms: [
    exitNow,
    {
      ...drain,
      verdict: 'not-as-expected',
      drift: ['CNI differs'],
      disagreements: ['exit codes differ'],
      trials: drain.trials.map((trial, index) => ({
        ...trial,
        ...(index === 0 ? { exitCode: notMeasured('no word of the container') } : {}),
        unexpected: ['10 TCP flows ended as severed (rst)'],
        inconclusive: ['the exit code was not measured'],
        causes: [
          {
            protocol: 'udp',
            outcome: 'severed (rehomed)',
            cause: 'conntrack-cleared-rehomed',
            by: 'kube-proxy',
            flows: 10,
            contradicted: 1,
          },
        ],
        watchGaps: [{ resource: 'pods', gapMs: notMeasured('the trial ended'), late: ['pod-deleted'] }],
      })),
    },
    { status: 'discarded', arm: drain.arm, label: drain.label, reason: '3 of 5 are complete', completeTrials: 3 },
    { status: 'skipped', arm: drain.arm, label: drain.label, reason: 'no Kubernetes API', completeTrials: 0 },
  ],
});

/** The same with each of its free texts replaced by what `text` gives. */
export const aggregateWithTexts = (text: () => string): Aggregate => replaced(everything, text) as Aggregate;
