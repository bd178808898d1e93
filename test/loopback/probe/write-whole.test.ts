import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeWhole } from '../../../probe/src/write-whole.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'probe-pipe-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Fills a non-blocking pipe; returns how many bytes that took. */
function fill(descriptor: number): number {
  let filled = 0;
  for (;;) {
    try {
      filled += writeSync(descriptor, 'x');
    } catch (error) {
      expect(error).toMatchObject({ code: 'EAGAIN' });
      return filled;
    }
  }
}

test('a line for a full, non-blocking pipe is written whole once its reader makes room', async () => {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const descriptor = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const filled = fill(descriptor);
  const line = `${'y'.repeat(200_000)}\n`;
  const copy = join(folder, 'copy');
  const args = [path, copy, String(filled + line.length)];
  const reader = spawn('sh', ['-c', 'sleep 0.3; exec head -c "$2" "$0" > "$1"', ...args], { stdio: 'ignore' });

  writeWhole(descriptor, line);
  await once(reader, 'close');
  closeSync(descriptor);

  expect(readFileSync(copy, 'latin1')).toBe('x'.repeat(filled) + line);
});

test('an error that is not the reader leaving is thrown', () => {
  const descriptor = openSync('/dev/full', 'w');
  expect(() => {
    writeWhole(descriptor, 'line\n');
  }).toThrow(/ENOSPC/);
  closeSync(descriptor);
});
