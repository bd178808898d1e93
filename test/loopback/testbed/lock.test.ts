import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processId, temporaryFolder, withLibraries } from './bash.ts';

const hold = 'take_lock "$1/lock"; echo "$$ begins" >> "$1/order"; sleep 0.7; echo "$$ ends" >> "$1/order"';

test('runs that start at once take turns', async () => {
  const folder = temporaryFolder();
  const runs = await Promise.all([1, 2, 3].map(() => withLibraries(['lock'], hold, [folder])));
  expect(runs.map((run) => run.exitCode)).toEqual([0, 0, 0]);
  const order = readFileSync(join(folder, 'order'), 'utf8').trim().split('\n');
  expect(order).toHaveLength(6);
  for (const turn of [0, 2, 4]) expect(order[turn + 1]).toBe(order[turn]?.replace('begins', 'ends'));
});

test('a run that waits names the process that holds the lock', async () => {
  const folder = temporaryFolder();
  const first = withLibraries(['lock'], 'take_lock "$1/lock"; echo held; read -r _', [folder]);
  await new Promise((resolve) => first.stdout.once('data', resolve));
  const second = withLibraries(['lock'], 'take_lock "$1/lock"', [folder]);
  const message = String(await new Promise((resolve) => second.stderr.once('data', resolve)));
  expect(message).toContain(`waiting for another run of the testbed to end (process ${first.pid ?? 'unknown'} holds`);
  first.stdin.end('\n');
  expect((await second).exitCode).toBe(0);
  expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe(`${second.pid ?? 'unknown'}\n`);
});

test('the lock of a killed run is free, whatever its file says', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'lock'), '1\n');
  expect((await withLibraries(['lock'], 'take_lock "$1/lock"; kill -KILL $$', [folder])).signal).toBe('SIGKILL');
  const next = await withLibraries(['lock'], 'take_lock "$1/lock"', [folder]);
  expect({ exitCode: next.exitCode, stderr: next.stderr }).toEqual({ exitCode: 0, stderr: '' });
});

test('a run that waits for what a killed run left behind says so', async () => {
  const folder = temporaryFolder();
  const first = await withLibraries(
    ['lock'],
    'take_lock "$1/lock"; sleep 600 < /dev/null > /dev/null 2>&1 & echo $! > "$1/left"; kill -KILL $$',
    [folder],
  );
  expect(first.signal).toBe('SIGKILL');
  const second = withLibraries(['lock'], 'take_lock "$1/lock"', [folder]);
  const message = String(await new Promise((resolve) => second.stderr.once('data', resolve)));
  process.kill(processId(readFileSync(join(folder, 'left'), 'utf8')));
  expect(message).toMatch(/what a killed run \(process \d+\) left behind/);
  expect((await second).exitCode).toBe(0);
});

test('a daemon that a run starts keeps neither the lock nor the caller waiting', async () => {
  const folder = temporaryFolder();
  const run = await withLibraries(
    ['lock', 'docker'],
    'exec 8>&1; take_lock "$1/lock"; without_inherited_files sleep 600 < /dev/null > /dev/null 2>&1 & echo $!; flock --nonblock 9',
    [folder],
  );
  const daemon = processId(run.stdout);
  try {
    expect((await withLibraries(['lock'], 'flock --nonblock "$1/lock" true', [folder])).exitCode).toBe(0);
    expect(readFileSync(`/proc/${daemon}/comm`, 'utf8')).toBe('sleep\n');
  } finally {
    process.kill(daemon);
  }
});
