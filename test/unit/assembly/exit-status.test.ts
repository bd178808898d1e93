import { describe, expect, test } from 'vitest';
import type { Aggregate, ArmAggregate, ArmResult } from '../../../src/domain/aggregate.ts';
import { harnessError, inputError, preflightError, requirementError } from '../../../src/domain/errors.ts';
import { interruptedStatus, statusOfAggregate, statusOfError } from '../../../src/assembly/exit-status.ts';
import { aggregateOf, publishedArms } from '../report/example-reports.ts';

const [expected] = publishedArms;
const statusOf = (...arms: Aggregate['arms']) => statusOfAggregate(aggregateOf({ arms }));

const withTrials = (changes: Partial<ArmAggregate['trials'][number]>): ArmAggregate['trials'] =>
  expected.trials.map((trial, index) => (index === 0 ? { ...trial, ...changes } : trial));
const unexpected: ArmAggregate = {
  ...expected,
  verdict: 'not-as-expected',
  trials: withTrials({ unexpected: ['exit code 1; expected 0'] }),
};
const inconclusive: ArmAggregate = {
  ...expected,
  verdict: 'inconclusive',
  trials: withTrials({ inconclusive: ['the exit code was not measured'] }),
};
const drifted: ArmAggregate = { ...expected, verdict: 'inconclusive', drift: ['CNI differs'] };
const absent = (status: 'discarded' | 'skipped'): ArmResult => ({
  status,
  arm: expected.arm,
  label: expected.label,
  reason: 'a reason',
  completeTrials: 0,
});

describe('the exit status of a run', () => {
  test.each<readonly [string, number, readonly ArmResult[]]>([
    ['all as expected', 0, [expected, expected]],
    ['one arm skipped, the others as expected', 0, [expected, absent('skipped')]],
    ['a trial outside its expectation', 1, [expected, unexpected]],
    ['a trial that could not be judged', 3, [expected, inconclusive]],
    ['an arm that drifted', 3, [expected, drifted]],
    ['an arm discarded', 3, [expected, absent('discarded')]],
    ['nothing but skipped arms, which shows nothing', 3, [absent('skipped')]],
    ['no arm at all', 3, []],
    [
      'an unexpected end, whatever else is wrong: the graver finding',
      1,
      [absent('discarded'), inconclusive, unexpected],
    ],
    ['an unexpected end in an arm that drifted', 1, [{ ...unexpected, drift: ['CNI differs'] }]],
  ])('with %s is %i', (_, status, arms) => {
    expect(statusOf(...arms)).toBe(status);
  });

  test('of arms that can’t be compared is that of a missing result; an unexpected end stands', () => {
    const drift = ['client kernel differs'];
    expect(statusOfAggregate(aggregateOf({ arms: [expected, expected], drift }))).toBe(3);
    expect(statusOfAggregate(aggregateOf({ arms: [expected, unexpected], drift }))).toBe(1);
  });
});

describe('the exit status of an error', () => {
  const facts = { expected: 'this', found: 'that', remedy: 'do so' };

  test.each([
    ['bad input', inputError(facts), 2],
    ['a missing requirement', requirementError(facts), 2],
    ['a failed preflight', preflightError(facts), 3],
    ['a trial that could not be carried through', harnessError(facts), 3],
    ['a defect', new TypeError('undefined is not a function'), 70],
    ['something thrown that is no error', 'text', 70],
  ])('%s', (_, error, status) => {
    expect(statusOfError(error)).toBe(status);
  });

  test('is of the error that came first, not of the clean-up after it', () => {
    const both = Object.assign(new Error('both'), {
      name: 'SuppressedError',
      error: new TypeError('the clean-up failed'),
      suppressed: inputError(facts),
    });
    expect(statusOfError(both)).toBe(2);
  });
});

test('a run that a signal ended has the status that a shell gives it', () => {
  expect([interruptedStatus('SIGINT'), interruptedStatus('SIGTERM')]).toEqual([130, 143]);
});
