import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseMonotonicOffset, readClockIdentity } from '../../../probe/src/clock.ts';

test.each([
  ['monotonic           0         0\nboottime            0         0\n', '0'],
  ['monotonic      172800         0\nboottime       604800         0\n', '172800000000000'],
  ['boottime 7 0\nmonotonic 1 500000000\n', '1500000000'],
  ['monotonic -1 500000000\n', '-500000000'],
  ['monotonic -100000000 1\n', '-99999999999999999'],
  ['boottime 0 0\n', null],
  ['monotonic zero 0\n', null],
  ['', null],
])('%j is an offset of %s ns', (text, offset) => {
  expect(parseMonotonicOffset(text)).toBe(offset);
});

test.runIf(process.platform === 'linux')('the boot is the one that the kernel names', () => {
  expect(readClockIdentity().bootId).toBe(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
});
