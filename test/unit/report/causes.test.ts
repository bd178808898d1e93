import { expect, test } from 'vitest';
import type { CauseCount } from '../../../src/domain/cause-count.ts';
import { countCauses } from '../../../src/domain/cause-count.ts';
import { causes } from '../../../src/domain/flow-cause.ts';
import { causeWords } from '../../../src/domain/cause-words.ts';
import { measured } from '../../../src/domain/measured.ts';
import { causeLines, errorBounds } from '../../../src/report/causes.ts';
import { findings } from '../../../src/report/findings.ts';
import { renderTable } from '../../../src/report/table.ts';
import { rehomed, reset } from '../metrics/example-trial.ts';
import { aggregateOf, all, armOf } from './example-reports.ts';

const count = (changes: Partial<CauseCount>): CauseCount => ({
  protocol: 'tcp',
  outcome: 'severed (rst)',
  cause: 'pod-socket-closed',
  by: 'pod',
  flows: 10,
  contradicted: 0,
  ...changes,
});

function armWith(perTrial: readonly (readonly CauseCount[])[]) {
  const arm = armOf('exit-now', { tcp: all('severed (rst)'), udp: all('severed (rehomed)'), repeats: perTrial.length });
  return { ...arm, trials: arm.trials.map((trial, index) => ({ ...trial, causes: perTrial[index] ?? [] })) };
}

const label = () => 'exits at once';

test('flows are counted by how they were cut off, by the cause and by whose doing it was', () => {
  const cause = { cause: 'node-reject', disagreements: [{ kind: 'no-such-packet', packet: 'rst' }] } as const;
  const packet = { kind: 'packet', packet: 'rst', sender: 'node', tMs: 1 } as const;
  const flows = [reset(45), { ...reset(46), cause: { ...cause, evidence: [packet] } }, rehomed(90), rehomed(95)];
  expect(countCauses(flows)).toEqual([
    count({ cause: 'node-reject', by: 'node', flows: 1, contradicted: 1 }),
    count({
      protocol: 'udp',
      outcome: 'severed (rehomed)',
      cause: 'conntrack-cleared-rehomed',
      by: 'kube-proxy',
      flows: 2,
    }),
  ]);
});

test('every cause has words of its own', () => {
  const words = causes.map((cause) => causeWords({ cause, by: null }));
  expect(new Set(words).size).toBe(causes.length);
});

test('the causes of an arm are one line, of all repeats, TCP first', () => {
  const moved = count({
    protocol: 'udp',
    outcome: 'severed (rehomed)',
    cause: 'conntrack-cleared-rehomed',
    by: 'kube-proxy',
  });
  const unknown = count({ protocol: 'udp', outcome: 'severed (rehomed)', cause: 'unknown', by: null, flows: 1 });
  const arm = armWith([
    [moved, count({})],
    [{ ...moved, flows: 9 }, unknown, count({})],
  ]);
  expect(causeLines(aggregateOf({ arms: [arm] }), label)).toEqual([
    'why: exits at once: TCP reset: by the pod’s kernel, its socket was closed (20 of 20); UDP re-homed: kube-proxy cleared their conntrack entries (19 of 20); UDP re-homed: the evidence does not decide why (1 of 20)',
  ]);
});

test('an arm without evidence has no line', () => {
  expect(causeLines(aggregateOf(), label)).toEqual([]);
});

test('contradictions stand against the trials that have them', () => {
  const arm = armWith([[count({})], [count({ contradicted: 2 })]]);
  expect(findings(aggregateOf({ arms: [arm] }), label)).toEqual([
    {
      severity: 'warning',
      text: 'exits at once: client, packets and conntrack contradict each other about 2 TCP flows (exit-now.iptables-02)',
    },
  ]);
});

test('the report’s error is bounded by what packets and commits showed; nothing is said without them', () => {
  expect(errorBounds(aggregateOf())).toEqual([]);
  const summary = (max: number) => measured({ n: 2, min: 0.1, median: 0.2, max, values: [0.1, max] });
  const arm = armWith([[], []]);
  const metric = (name: string, max: number) => ({
    metric: name,
    summary: summary(max),
    precisions: ['exact'],
    notMeasured: [],
  });
  const bounded = { ...arm, metrics: [metric('tcp-end-detection', 1.26), metric('greatest-watch-delay', 24.4)] };
  const [line] = errorBounds(aggregateOf({ arms: [bounded] }));
  expect(line).toMatch(/at most: TCP ends 1\.3 ms, writes to the API server, by its watches 24\sms\.$/);
  expect(renderTable(aggregateOf({ arms: [bounded] }), { width: 200, color: false })).toContain('TCP ends 1.3 ms');
});
