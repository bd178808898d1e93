import { describe, expect, test } from 'vitest';
import { metrics } from '../../../src/metrics/index.ts';
import { publishedArm, publishedReference, publishedSummary } from '../../../src/report/published.ts';
import { scenarios } from '../../../src/scenarios/index.ts';

const reference = publishedReference();

describe('the published run', () => {
  test('names its source wherever it is shown', () => {
    expect(reference.source).toMatch(/MIT.*25 trials/);
  });

  test.each([
    ['exit-now', 'trigger-to-last-tcp-end', [30, 45, 98]],
    ['exit-now', 'dead-endpoint-window', [195, 221, 521]],
    ['drain', 'trigger-to-sigterm', [26, 40, 108]],
    ['ignore', 'trigger-to-container-terminated', [30_240, 30_255, 30_305]],
    ['drain-evict', 'sigterm-to-ready-false', [-28, -6, -4]],
    ['drain-scale', 'first-udp-end-minus-exit', [111, 177, 189]],
  ])('says of %s, %s: %j', (scenario, metric, [min, median, max]) => {
    const arm = publishedArm(reference, scenario, 30);
    expect(arm && publishedSummary(arm, metric)).toMatchObject({ n: 5, min, median, max });
  });

  test('compares with every scenario that names an arm of it, and no other', () => {
    for (const { name, referenceArm } of scenarios) {
      expect(publishedArm(reference, name, 30)?.arm ?? null).toBe(referenceArm);
    }
  });

  test('does not compare with a run under another grace period', () => {
    expect(publishedArm(reference, 'drain', 10)).toBeUndefined();
  });

  test('has every quantity that a metric says it published', () => {
    for (const arm of reference.arms) {
      for (const { name, publishedAs } of metrics) {
        expect(publishedSummary(arm, name) === undefined, `${arm.arm} ${name}`).toBe(publishedAs === null);
      }
    }
  });
});
