import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { identify, isAlive } from '../../../src/process/process-identity.ts';

const own = identify(process.pid);

test('a running process is identified and alive', () => {
  expect(own).toMatchObject({ pid: process.pid, startTicks: expect.stringMatching(/^\d+$/) as string });
  expect(own !== undefined && isAlive(own)).toBe(true);
});

test('a pid that was given to another process, or in another boot, is not the same process', () => {
  if (own === undefined) expect.fail('this process runs');
  expect(isAlive({ ...own, startTicks: '1' })).toBe(false);
  expect(isAlive({ ...own, bootId: '00000000-0000-0000-0000-000000000000' })).toBe(false);
});

test('a process that ended is not alive', async () => {
  const child = spawn('sleep', ['60']);
  const identity = identify(child.pid ?? 0);
  if (identity === undefined) expect.fail('the child runs');
  expect(isAlive(identity)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isAlive(identity)).toBe(false);
});

test("a command's name with spaces and parentheses doesn't shift the fields", async () => {
  const child = spawn(process.execPath, [
    '-e',
    "process.title = 'a) b (c'; console.log(); setTimeout(() => {}, 60000)",
  ]);
  await once(child.stdout, 'data');
  expect(identify(child.pid ?? 0)?.startTicks).toMatch(/^\d{3,}$/);
  child.kill('SIGKILL');
});
