import { describe, expect, test } from 'vitest';
import { lanesOf, timeText } from '../../../../src/charts/timeline/lanes.ts';
import {
  drainedTrial,
  emptyTrial,
  event,
  exact,
  flow,
  pod,
  receipt,
  reset,
  successor,
  trialWith,
} from '../../metrics/example-trial.ts';
import { busyTrial } from '../example-input.ts';

const wordsOf = (trial: Parameters<typeof lanesOf>[0]) =>
  Object.fromEntries(
    lanesOf(trial).map(({ name, moments }) => [
      name,
      moments.map(({ what, when }) => `${what} ${when}`.replaceAll('\u00a0', ' ')),
    ]),
  );

describe('the lanes of a trial', () => {
  test('tell what became of the flows, and in the order of time what node, cluster and pod did', () => {
    expect(wordsOf(busyTrial)).toEqual({
      '3 TCP flows': ['2 closed cleanly 25.041–25.043 s'],
      '4 UDP flows': ['1 refused 1.200 s', '2 re-homed 2.417–2.421 s', '1 then re-homed 2.430 s'],
      'new connections': ['TCP host → node fails 1.030–2.400 s', 'UDP host → node fails 1.030–2.400 s'],
      node: [
        'runtime asked to stop it 31 ms',
        'rules lead away, TCP 1.890 s',
        'rules lead away, UDP 1.893 s',
        '10 UDP entries cleared 2.405 s',
        'container ended 25.046 s',
      ],
      cluster: [
        'pod terminating 7.9 ms',
        'request accepted 9.1 ms',
        'ready = false 24 ms',
        'serving = false 460 ms',
        'other pod ready 1.525 s',
        'other endpoint ready 1.557 s',
        'container ended, 0 25.289 s',
        'endpoint removed 25.296 s',
        'pod deleted 25.500 s',
      ],
      pod: [
        'SIGTERM received 40 ms',
        'withdraws readiness 40 ms',
        'announces the close 25.041 s',
        'exits with 0 25.045 s',
      ],
    });
  });

  test('leave out what happened before the trigger, and what came again', () => {
    const trial = trialWith({
      timeline: [
        event('pod-not-ready', receipt(-900), { pod }),
        event('pod-not-ready', receipt(12), { pod }),
        event('pod-not-ready', receipt(80), { pod }),
      ],
    });
    expect(wordsOf(trial)).toEqual({ cluster: ['pod not ready 12 ms'] });
  });

  test('name a later pod’s events as those of another pod', () => {
    const trial = trialWith({ timeline: [event('endpoint-ready', receipt(9), { pod: successor })] });
    expect(wordsOf(trial)).toEqual({ cluster: ['other endpoint ready 9.0 ms'] });
  });

  test('of a plain process are of a host and a process', () => {
    const trial = trialWith({
      timeline: [
        { ...event('trigger-accepted', receipt(0.4), { trigger: 'delete' }), source: 'orchestrator' },
        event('sigterm-received', exact(0.8), { pod }),
      ],
      flows: [reset(2.7)],
    });
    expect(Object.keys(wordsOf(trial))).toEqual(['1 TCP flow', 'host', 'process']);
  });

  test('are none of a trial that observed nothing', () => {
    expect(lanesOf(trialWith({}))).toEqual([]);
    expect(lanesOf(drainedTrial).length).toBe(6);
    expect(Object.keys(wordsOf({ ...drainedTrial, evidence: emptyTrial.evidence }))).not.toContain('node');
  });

  test('count a flow that outlived the observation, or was never measured, as a flow without an end', () => {
    const trial = trialWith({
      flows: [flow('udp', { kind: 'survived-observation-window' }), flow('udp', { kind: 'not-measured', reason: 'x' })],
    });
    expect(wordsOf(trial)).toEqual({ '2 UDP flows': [] });
  });
});

test('a time is written to the precision that its size makes sense of', () => {
  expect([0.26, 9.96, 31.2, 999.4, 999.6, 25_041.4].map((ms) => timeText(ms).replace('\u00a0', ' '))).toEqual([
    '0.3 ms',
    '10 ms',
    '31 ms',
    '999 ms',
    '1.000 s',
    '25.041 s',
  ]);
});
