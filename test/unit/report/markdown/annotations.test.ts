import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AbsentArm, ArmAggregate } from '../../../../src/domain/aggregate.ts';
import { renderAnnotations } from '../../../../src/report/markdown/annotations.ts';
import { aggregateOf, publishedArms } from '../example-reports.ts';
import { aggregateWithTexts } from '../hostile-aggregate.ts';
import { hostile } from '../hostile-texts.ts';

const [exitNow, drain] = publishedArms;
const wrong: ArmAggregate = {
  ...drain,
  verdict: 'not-as-expected',
  trials: drain.trials.map((trial) => ({ ...trial, unexpected: ['exit code 1; expected 0'] })),
};
const inconclusive: ArmAggregate = { ...exitNow, verdict: 'inconclusive', disagreements: ['exit codes differ'] };
const absent = (status: AbsentArm['status']): AbsentArm => ({
  status,
  arm: drain.arm,
  label: drain.label,
  reason: 'no route to host',
  completeTrials: 0,
});

describe('a run', () => {
  test('that is as expected has no annotation, nor has an arm that was skipped', () => {
    expect(renderAnnotations(aggregateOf({ arms: [exitNow, absent('skipped')] }))).toEqual([]);
  });

  test('has one for each arm that stands against it, errors first', () => {
    expect(renderAnnotations(aggregateOf({ arms: [inconclusive, wrong, absent('discarded')] }))).toEqual([
      { level: 'error', title: 'drains · delete: not as expected', message: 'exit code 1; expected 0 (all 5 trials)' },
      { level: 'error', title: 'drains · delete: discarded', message: 'no route to host' },
      { level: 'warning', title: 'exits at once · delete: inconclusive', message: 'exit codes differ' },
    ]);
  });

  test('with more than ten of them has ten, and the last names the others', () => {
    const arms = Array.from({ length: 14 }, (_, index) => ({ ...wrong, label: `arm ${index}` }));
    const annotations = renderAnnotations(aggregateOf({ arms }));
    expect(annotations).toHaveLength(10);
    expect(annotations.at(-1)).toEqual({
      level: 'error',
      title: 'drainwatch: 5 more arms',
      message: [9, 10, 11, 12, 13].map((index) => `arm ${index}: not as expected`).join('; '),
    });
  });
});

test('an annotation is one short line that does nothing, whatever the texts in it are', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      for (const { title, message } of renderAnnotations(aggregateWithTexts(() => text.repeat(50)))) {
        expect(title.length).toBeLessThan(300);
        expect(message.length).toBeLessThan(2500);
        expect(`${title}${message}`).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      }
    }),
  );
});
