import { expect, test } from 'vitest';
import { requireDescriptors } from '../../../src/flows/open-files.ts';

test('more sockets than the limit of open files are a requirement, told with the limit that is needed', () => {
  expect(() => {
    requireDescriptors(2 ** 31);
  }).toThrow(
    expect.objectContaining({
      kind: 'requirement',
      message: expect.stringMatching(/a limit of \d+.*2147483648 sockets.*ulimit -n 2147483\d+/) as string,
    }) as Error,
  );
});

test('what fits is not refused', () => {
  expect(() => {
    requireDescriptors(20);
  }).not.toThrow();
});
