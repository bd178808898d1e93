import { describe, expect, test } from 'vitest';
import { metrics } from '../../../src/metrics/index.ts';
import { measureTrial } from '../../../src/metrics/measure-trial.ts';
import { drainedTrial, emptyTrial, trialWith } from './example-trial.ts';

describe.each([...metrics])('the metric $name', (metric) => {
  test('has a name in kebab-case, a label that fits a heading, and a description that ends like a sentence', () => {
    expect(metric.name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(metric.label).toMatch(/^\S.{2,29}$/);
    expect(metric.description).toMatch(/\.$/);
  });

  test('is not measured in a trial that observed nothing, and says why', () => {
    expect(metric.measure(emptyTrial)).toEqual({
      status: 'not-measured',
      reason: expect.stringMatching(/\w{3}/) as string,
    });
  });

  test('is measured in a drained trial that observed everything', () => {
    expect(metric.measure(drainedTrial)).toMatchObject({ status: 'measured' });
  });

  test("reads only events of the trial's own pod", () => {
    const other = trialWith({ timeline: drainedTrial.timeline, pod: 'another-pod' });
    expect(metric.measure(other).status).toBe('not-measured');
  });

  test('gives the same for the same trial', () => {
    expect(metric.measure(drainedTrial)).toEqual(metric.measure(drainedTrial));
  });
});

test('no two metrics share a label, or the name of a published quantity', () => {
  const labels = [...metrics].map(({ label }) => label);
  const published = [...metrics].flatMap(({ publishedAs }) => (publishedAs === null ? [] : [publishedAs]));
  expect(new Set(labels).size).toBe(labels.length);
  expect(new Set(published).size).toBe(published.length);
});

test('a measured trial has an entry for every registered metric', () => {
  expect(Object.keys(measureTrial(drainedTrial))).toEqual(metrics.names());
});

test('arm B of the published run gives its published numbers', () => {
  const value = (name: string) => {
    const sample = measureTrial(drainedTrial)[name];
    return sample?.status === 'measured' ? [sample.value.value, sample.value.precision] : sample?.reason;
  };
  expect(Object.fromEntries(metrics.names().map((name) => [name, value(name)]))).toEqual({
    'trigger-to-sigterm': [40, 'exact'],
    'trigger-to-ready-false': [24, 'upper-bound'],
    'trigger-to-first-tcp-end': [25_041, 'exact'],
    'trigger-to-last-tcp-end': [25_043, 'exact'],
    'trigger-to-first-udp-end': [2_417, 'exact'],
    'trigger-to-last-udp-end': [2_421, 'exact'],
    'trigger-to-first-udp-rehome': [2_417, 'exact'],
    'trigger-to-replacement-ready': [1_557, 'upper-bound'],
    'trigger-to-probe-exit': [25_045, 'exact'],
    'trigger-to-container-terminated': [25_289, 'upper-bound'],
    'trigger-to-endpoint-removed': [25_296, 'upper-bound'],
    'dead-endpoint-window': [253, 'upper-bound'],
    'sigterm-to-ready-false': [-16, 'upper-bound'],
    'sigterm-to-endpoint-removed': [25_256, 'upper-bound'],
    'first-udp-end-minus-exit': [-22_872, 'lower-bound'],
    'last-udp-end-minus-exit': [-22_868, 'lower-bound'],
    'drain-left-at-udp-rehome': [22_628, 'exact'],
    'new-tcp-failure-window': [1_370, 'bounded'],
    'new-udp-failure-window': [1_370, 'bounded'],
    'new-tcp-first-failure': [990, 'bounded'],
    'new-udp-first-failure': [990, 'bounded'],
    'new-tcp-last-failure': [2_350, 'bounded'],
    'new-udp-last-failure': [2_350, 'bounded'],
    'new-tcp-last-answer': [1_020, 'bounded'],
    'new-udp-last-answer': [1_020, 'bounded'],
    'trigger-to-ready-false-commit': [20, 'bounded'],
    'trigger-to-endpoint-removed-commit': [25_289, 'bounded'],
    'trigger-to-rules-changed': [1_893, 'upper-bound'],
    'trigger-to-udp-entries-cleared': [2_405, 'bounded'],
    'trigger-to-stop-requested': [31, 'bounded'],
    'stop-requested-to-sigterm': [9, 'bounded'],
    'trigger-to-runtime-exit': [25_046, 'bounded'],
    'clearing-to-udp-rehome': [12, 'bounded'],
    'greatest-watch-delay': [8, 'upper-bound'],
    'median-watch-delay': [8, 'upper-bound'],
    'tcp-end-detection': [1.5, 'exact'],
    'udp-rehome-detection': [0.5, 'exact'],
  });
});
