import { describe, expect, test } from 'vitest';
import type { ArmAggregate, ArmResult } from '../../../src/domain/aggregate.ts';
import { measured, notMeasured } from '../../../src/domain/measured.ts';
import type { TrialReport } from '../../../src/domain/trial.ts';
import { aggregate, type AggregateInput } from '../../../src/experiment/aggregate.ts';
import { createDigester } from '../../../src/experiment/trial-digest.ts';
import { metrics } from '../../../src/metrics/index.ts';
import { environmentOf, flowOf, matrixOf, reportOf, severedByRst, trialOf } from '../../fixtures/trial-report.ts';

const arm = trialOf().arm;
const sumUp = (reports: readonly TrialReport[], overrides: Partial<AggregateInput> = {}) =>
  aggregate({
    run: 'test',
    matrix: matrixOf({ repeats: reports.length }),
    startedAt: '2026-01-01T00:00:00.000Z',
    wallSeconds: measured(60),
    arms: [{ arm, label: 'exits at once · delete', skip: null }],
    trials: reports.map(createDigester()),
    warmUps: 0,
    failures: [],
    metrics,
    ...overrides,
  });
const complete = (result: ArmResult | undefined): ArmAggregate => {
  if (result?.status !== 'complete') throw new Error(`the arm is ${result?.status ?? 'missing'}`);
  return result;
};
const sigterm = (result: ArmResult | undefined) =>
  complete(result).metrics.find(({ metric }) => metric === 'trigger-to-sigterm');

describe('a complete arm', () => {
  test('has the median, range and values of its repeats', () => {
    const [result] = sumUp([reportOf(1), reportOf(2), reportOf(3)]).arms;
    expect(sigterm(result)?.summary).toMatchObject({
      value: { n: 3, min: 10, median: 20, max: 30, values: [10, 20, 30] },
    });
  });

  test('with an even count has the mean of the middle two as its median', () => {
    const [result] = sumUp([reportOf(1), reportOf(2)]).arms;
    expect(sigterm(result)?.summary).toMatchObject({ value: { n: 2, median: 15 } });
  });

  test('of one repeat has that value, and no spread', () => {
    const [result] = sumUp([reportOf(1)]).arms;
    const summary = sigterm(result)?.summary;
    expect(summary).toMatchObject({ status: 'measured', value: { n: 1, min: 10, median: 10, max: 10 } });
    expect(summary).not.toHaveProperty('value.mad');
    expect(summary).not.toHaveProperty('value.rangeConfidence');
  });

  test('counts only what was measured, and says what was not', () => {
    const blind = reportOf(2, { metrics: { 'trigger-to-sigterm': notMeasured('the log was lost') } });
    const [result] = sumUp([reportOf(1), blind]).arms;
    expect(sigterm(result)).toMatchObject({
      summary: { value: { n: 1, median: 10 } },
      notMeasured: [{ trial: 'exit-now.iptables-02', reason: 'the log was lost' }],
    });
  });

  test('that measured a metric never has its reason in place of a number', () => {
    const [result] = sumUp([reportOf(1, { metrics: { 'trigger-to-sigterm': notMeasured('the log was lost') } })]).arms;
    expect(sigterm(result)?.summary).toEqual(notMeasured('the log was lost'));
  });

  test('names the precisions that a statistic mixes', () => {
    const late = reportOf(2, { metrics: { 'trigger-to-sigterm': measured({ value: 12, precision: 'bounded' }) } });
    expect(sigterm(sumUp([reportOf(1), late]).arms[0])?.precisions).toEqual(['bounded', 'exact']);
  });

  test('whose repeats end differently says how before any number', () => {
    const fin = flowOf({ kind: 'severed', by: 'unannounced-fin', at: { tMs: 50, precision: { kind: 'exact' } } });
    const odd = reportOf(2, { unexpected: ['1 TCP flows ended otherwise'] }, { flows: [fin] });
    const result = complete(sumUp([reportOf(1), odd]).arms[0]);
    expect(result.disagreements).toEqual([
      'TCP outcomes differ between repeats: 1 severed (rst) in 1; 1 severed (unannounced-fin) in 1',
    ]);
    expect(result.verdict).toBe('not-as-expected');
  });

  test('whose flows ended alike at different times has no disagreement', () => {
    const later = reportOf(2, {}, { flows: [flowOf(severedByRst(99))] });
    expect(complete(sumUp([reportOf(1), later]).arms[0]).disagreements).toEqual([]);
  });

  test('whose environment drifted between repeats is inconclusive and has no statistics', () => {
    const drifted = reportOf(2, {
      environment: environmentOf({ tool: { version: '0.0.0', commit: 'def', dirty: false } }),
    });
    const result = complete(sumUp([reportOf(1), drifted]).arms[0]);
    expect(result.verdict).toBe('inconclusive');
    expect(result.drift).toEqual(['tool version differs between trials: 0.0.0 abc / 0.0.0 def']);
    expect(result.metrics.every(({ summary }) => summary.status === 'not-measured')).toBe(true);
  });
});

describe('the verdict on an arm', () => {
  const unknown = reportOf(2, { inconclusive: ['the exit code was not measured'] });
  const odd = reportOf(1, { unexpected: ['exit code 1; expected 0'] });

  test('is inconclusive when one trial could not be judged', () => {
    const result = complete(sumUp([reportOf(1), unknown]).arms[0]);
    expect(result.verdict).toBe('inconclusive');
    expect(result.trials.map(({ inconclusive }) => inconclusive)).toEqual([[], ['the exit code was not measured']]);
  });

  test('is the graver one: an unexpected end stands, whatever else is unknown or drifted', () => {
    const drifted = { ...unknown, environment: environmentOf({ cni: measured('cilium') }) };
    expect(complete(sumUp([odd, unknown]).arms[0]).verdict).toBe('not-as-expected');
    expect(complete(sumUp([odd, drifted]).arms[0]).verdict).toBe('not-as-expected');
  });
});

describe('an arm', () => {
  test('names the failure of a trial that is still missing, not of one that was made good', () => {
    const failures = [
      { trial: 'exit-now.iptables-02', arm: arm.id, reason: 'udp-flows-replying is unmet' },
      { trial: 'exit-now.iptables-01', arm: arm.id, reason: 'the pod never became ready' },
      { trial: 'exit-now.iptables-warm-up', arm: arm.id, reason: 'the image was pulled too slowly' },
    ];
    const [result] = sumUp([reportOf(1)], { matrix: matrixOf({ repeats: 2 }), failures }).arms;
    expect(result).toMatchObject({
      reason: '1 of 2 trials are complete; exit-now.iptables-02: udp-flows-replying is unmet',
    });
    const [interrupted] = sumUp([reportOf(1)], { matrix: matrixOf({ repeats: 2 }), failures: failures.slice(1) }).arms;
    expect(interrupted).toMatchObject({ reason: '1 of 2 trials are complete; the run ended before the others' });
  });

  test('with a trial missing is discarded with the reason of its failure, and never averaged', () => {
    const failures = [{ trial: 'exit-now.iptables-02', arm: arm.id, reason: 'udp-flows-replying is unmet' }];
    const [result] = sumUp([reportOf(1)], { matrix: matrixOf({ repeats: 2 }), failures }).arms;
    expect(result).toEqual({
      status: 'discarded',
      arm,
      label: 'exits at once · delete',
      reason: '1 of 2 trials are complete; exit-now.iptables-02: udp-flows-replying is unmet',
      completeTrials: 1,
    });
  });

  test('that could not begin for want of something is skipped with the reason, and no failed attempt', () => {
    const failures = [
      { trial: 'exit-now.iptables-01', arm: arm.id, reason: 'no ip_vs', unmetRequirement: true as const },
    ];
    const result = sumUp([], { matrix: matrixOf({ repeats: 2 }), failures });
    expect(result.arms[0]).toMatchObject({ status: 'skipped', reason: 'no ip_vs' });
    expect(result.failedAttempts).toEqual([]);
  });

  test('that a provider can’t run is skipped with the reason, not failed', () => {
    const arms = [{ arm, label: 'exits at once · delete', skip: 'provider local has no Kubernetes API' }];
    expect(sumUp([], { arms }).arms[0]).toMatchObject({
      status: 'skipped',
      reason: 'provider local has no Kubernetes API',
    });
  });
});

test('factors of the matrix may differ across arms; anything else is drift of the run', () => {
  const nftables = environmentOf({ proxyMode: measured('nftables'), cni: measured('cilium') });
  const { drift } = sumUp([reportOf(1), reportOf(2, { environment: nftables })]);
  expect(drift).toEqual(['CNI differs between trials: kindnet / cilium']);
});
