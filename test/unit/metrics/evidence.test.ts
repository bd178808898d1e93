import { describe, expect, test } from 'vitest';
import { measured, notMeasured, type Measured } from '../../../src/domain/measured.ts';
import type { Trial } from '../../../src/domain/trial.ts';
import type { TrialEvidence } from '../../../src/domain/trial-evidence.ts';
import { metrics } from '../../../src/metrics/index.ts';
import { exampleEvidence, written } from '../../fixtures/trial-evidence.ts';
import { drainedTrial, event, exact, pod, receipt, successor, trialWith } from './example-trial.ts';

const measure = (name: string, changes: Partial<Trial>) => metrics.get(name).measure(trialWith(changes));
const seen = (changes: Partial<TrialEvidence>): Measured<TrialEvidence> => measured({ ...exampleEvidence, ...changes });

test.each([
  ['commits', 'greatest-watch-delay'],
  ['commits', 'trigger-to-endpoint-removed-commit'],
  ['runtime', 'trigger-to-stop-requested'],
  ['runtime', 'stop-requested-to-sigterm'],
  ['runtime', 'trigger-to-runtime-exit'],
  ['rules', 'trigger-to-rules-changed'],
  ['conntrack', 'trigger-to-udp-entries-cleared'],
  ['conntrack', 'clearing-to-udp-rehome'],
  ['packets', 'tcp-end-detection'],
  ['packets', 'udp-rehome-detection'],
] as const)('without %s the metric %s has that observer’s reason', (kind, name) => {
  const evidence = seen({ [kind]: notMeasured('no right to observe') });
  expect(measure(name, { ...drainedTrial, evidence })).toEqual(notMeasured('no right to observe'));
});

describe('the container runtime’s log', () => {
  const timeline = [event('sigterm-received', exact(40), { pod })];

  test('splits the time to SIGTERM at the kubelet’s request, and has the exit of any container', () => {
    const trial = { timeline, evidence: seen({}) };
    expect(measure('trigger-to-stop-requested', trial)).toEqual(measured({ value: 31, precision: 'bounded' }));
    expect(measure('stop-requested-to-sigterm', trial)).toEqual(measured({ value: 9, precision: 'bounded' }));
    expect(measure('trigger-to-runtime-exit', trial)).toEqual(measured({ value: 25_046, precision: 'bounded' }));
  });

  test('without a step has no time of it, and the reason says which', () => {
    const evidence = seen({ runtime: measured([{ step: 'kill-sent', at: exact(31) }]) });
    expect(measure('trigger-to-runtime-exit', { timeline, evidence })).toEqual(
      notMeasured('the container runtime’s log tells no end of the process'),
    );
  });
});

describe('the time of a write', () => {
  const evidence = seen({
    commits: measured({
      commits: 2,
      unreceived: [{ name: 'endpoint-removed', pod, by: 'a-controller', at: exact(300) }],
    }),
  });

  test('is known of one that no watch told of', () => {
    expect(measure('trigger-to-endpoint-removed-commit', { evidence })).toMatchObject({ value: { value: 300 } });
  });

  test('is that of the first', () => {
    const timeline = [written(event('endpoint-removed', receipt(290), { pod }), 10)];
    expect(measure('trigger-to-endpoint-removed-commit', { evidence, timeline })).toMatchObject({
      value: { value: 280 },
    });
  });
});

test('word of another pod, and of what came before the trigger, is no watch delay of the trial’s', () => {
  const timeline = [
    written(event('pod-ready', receipt(-500), { pod }), 100),
    written(event('pod-ready', receipt(900), { pod: successor }), 200),
    written(event('pod-terminating', receipt(10), { pod }), 3),
    event('pod-deleted', receipt(20), { pod }),
  ];
  const trial = { timeline, evidence: seen({}) };
  expect(measure('greatest-watch-delay', trial)).toEqual(measured({ value: 4, precision: 'upper-bound' }));
});

describe('the change of the rules', () => {
  const rule = (change: 'pod-reachable' | 'pod-unreachable', tMs: number, protocol: 'tcp' | 'udp' = 'tcp') =>
    ({ change, protocol, at: receipt(tMs) }) as const;
  const changed = (...rules: readonly ReturnType<typeof rule>[]) =>
    measure('trigger-to-rules-changed', { evidence: seen({ rules: measured(rules) }) });

  test('is the last after which they lead away, in both protocols', () => {
    expect(changed(rule('pod-unreachable', 90), rule('pod-reachable', 95), rule('pod-unreachable', 200))).toMatchObject(
      {
        value: { value: 200, precision: 'upper-bound' },
      },
    );
    expect(changed(rule('pod-unreachable', 90), rule('pod-unreachable', 93, 'udp'))).toMatchObject({
      value: { value: 93 },
    });
  });

  test('was not seen where they lead to the pod to the end', () => {
    expect(changed(rule('pod-unreachable', 90), rule('pod-reachable', 95))).toMatchObject({
      reason: expect.stringContaining('to the end') as string,
    });
    expect(changed()).toMatchObject({ status: 'not-measured' });
    expect(changed(rule('pod-unreachable', -5))).toMatchObject({ status: 'not-measured' });
  });
});

test('a detection is as long as the bounds of the packet’s time allow', () => {
  const [flow] = drainedTrial.flows;
  if (flow === undefined) throw new Error('the trial holds flows');
  const packetAt = { tMs: 99, precision: { kind: 'bounded', earlyMs: 0.5, lateMs: 0 } } as const;
  const flows = [{ ...flow, detections: [{ packet: 'fin', packetAt, toldMs: 100 } as const] }];
  expect(measure('tcp-end-detection', { evidence: seen({}), flows })).toEqual(
    measured({ value: 1.5, precision: 'bounded' }),
  );
});
