import { expect, test } from 'vitest';
import { describeError, errorsOf, firstErrorOf, inputError, isActionable } from '../../../src/domain/errors.ts';

/** As `await using` throws when both the work and the disposal after it fail. */
async function failTwice(): Promise<unknown> {
  const work = async () => {
    await using cluster = { name: 'c', [Symbol.asyncDispose]: () => Promise.reject(new Error('the cluster stays')) };
    expect(cluster.name).toBe('c');
    throw inputError({ expected: 'a free port', found: 'port 80 is taken', remedy: 'take another' });
  };
  return work().catch((error: unknown) => error);
}

test('a failed clean-up hides neither the error before it nor itself, in the order in which they happened', async () => {
  const error = await failTwice();
  expect(errorsOf(error).map(String)).toEqual([
    expect.stringContaining('port 80') as string,
    'Error: the cluster stays',
  ]);
  expect(describeError(error)).toBe(
    'port 80 is taken; expected: a free port; take another; and then, while cleaning up: the cluster stays',
  );
});

test('the first error decides what a failure is', async () => {
  expect(isActionable(firstErrorOf(await failTwice()), 'input')).toBe(true);
  expect(isActionable(firstErrorOf(new Error('x')), 'input')).toBe(false);
});

test('the text of an error is one line', () => {
  expect(describeError(new Error('one\n  two\r\nthree'))).toBe('one two three');
  expect(describeError('plain')).toBe('plain');
});
