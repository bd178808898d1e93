import { expect, test } from 'vitest';
import { withinTime } from '../../../src/rendering/time-limit.ts';

test('work that never settles ends with an error that says what was waited for', async () => {
  const never = new Promise<never>(() => undefined);
  await expect(withinTime(never, 'a picture', 5)).rejects.toMatchObject({
    kind: 'harness',
    facts: { expected: 'a picture within 0.005 s' },
  });
});

test('work in time gives its own result, or its own error', async () => {
  const failure = new Error('no canvas');
  await expect(withinTime(Promise.resolve(7), 'a picture', 60_000)).resolves.toBe(7);
  await expect(withinTime(Promise.reject(failure), 'a picture', 60_000)).rejects.toBe(failure);
});
