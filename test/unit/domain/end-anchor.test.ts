import { describe, expect, test } from 'vitest';
import { endAnchor } from '../../../src/domain/end-anchor.ts';
import { all, armOf, type ArmOptions } from '../report/example-reports.ts';
import { rehomedDrain, stayedDrain } from '../report/level-examples.ts';

const conditions = { gracePeriodSeconds: 30, nearMs: 170 };
const anchorOf = (options: ArmOptions) => endAnchor(armOf('drain', options), 'udp', conditions);
const udp = (values: ArmOptions['values'], changes: Partial<ArmOptions> = {}) =>
  anchorOf({ tcp: [], udp: all('severed (silence)'), repeats: 2, ...changes, values: values ?? {} });

describe('what happened right before flows ended', () => {
  test('is the pod’s exit where that lies next to the end', () => {
    expect(anchorOf(stayedDrain())).toBe('pod-exited');
  });

  test('is the last thing before the end where nothing lies next to it', () => {
    expect(anchorOf(rehomedDrain())).toBe('replacement-ready');
    expect(udp({ 'trigger-to-first-udp-end': [900, 950], 'trigger-to-ready-false': [40, 45] })).toBe(
      'endpoint-not-ready',
    );
  });

  test('is the kill where the container was killed and flows ended with the grace period', () => {
    const ends = { 'trigger-to-first-udp-end': [30_060, 30_070] } as const;
    expect(udp(ends, { exitCode: 137 })).toBe('pod-killed');
    expect(udp(ends)).toBeNull();
  });

  test('is not told where nothing happened shortly before', () => {
    expect(udp({ 'trigger-to-first-udp-end': [2_300, 2_300], 'trigger-to-ready-false': [40, 45] })).toBeNull();
  });

  test('is not told where the trials don’t agree', () => {
    expect(
      udp({
        'trigger-to-first-udp-end': [2_300, 25_000],
        'trigger-to-ready-false': [40, 45],
        'trigger-to-probe-exit': [25_010, 25_010],
      }),
    ).toBeNull();
  });

  test('is not told where a trial has no end', () => {
    expect(anchorOf({ ...stayedDrain(), values: {} })).toBeNull();
  });

  test('reads the values of an arm’s metrics as often for a hundred trials as for two', () => {
    const readsOf = (repeats: number) => {
      const times = (tMs: number) => [tMs, ...Array.from({ length: repeats - 1 }, () => tMs)] as const;
      const values = { 'trigger-to-first-udp-end': times(25_010), 'trigger-to-probe-exit': times(25_010) };
      let reads = 0;
      const arm = armOf('drain', { tcp: [], udp: all('severed (silence)'), repeats, values });
      const metrics = new Proxy(arm.metrics, { get: (...asked) => ((reads += 1), Reflect.get(...asked) as unknown) });
      expect(endAnchor({ ...arm, metrics }, 'udp', conditions)).toBe('pod-exited');
      return reads;
    };
    expect(readsOf(100)).toBe(readsOf(2));
  });
});
