import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { startCli, temporaryFolder } from './command.ts';

const run = ['run', '--provider', 'local', '--scenarios', 'exit-now,ignore', '--repeats', '2', '--grace-period', '3'];
const short = [...run, '--settle', '0.2', '--trailing', '0', '-o', 'out'];

/** Probes that carry the folder's path in their command line or environment are this test's own. */
function probesOf(folder: string): readonly string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => {
    try {
      const isProbe = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('probe.js');
      return isProbe && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  });
}

const stored = (folder: string, arm: string) => {
  const trials = join(folder, 'out', 'trials', arm);
  return existsSync(trials) ? readdirSync(trials).toSorted() : [];
};

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends a run with %i, leaves no probe, and keeps what was measured', async (signal, status) => {
  const folder = temporaryFolder();
  const child = startCli(short, folder);
  await expect.poll(() => stored(folder, 'exit-now').length, { timeout: 30_000 }).toBeGreaterThan(0);
  await expect.poll(() => probesOf(folder).length, { timeout: 10_000 }).toBeGreaterThan(0);
  child.kill(signal);
  const { exitCode, stderr } = await child;
  expect(exitCode).toBe(status);
  expect(stderr).toMatch(/\d of 4 trials are kept; go on with: run --resume .*out$/);
  expect(probesOf(folder)).toEqual([]);
  expect(stored(folder, 'exit-now')).toContain('01.json');
});

test('a reader that leaves does not end a run: what is measured is stored', async () => {
  const folder = temporaryFolder();
  const args = [
    'run',
    '--provider',
    'local',
    '--scenarios',
    'exit-now',
    '--repeats',
    '2',
    '--settle',
    '0.2',
    '--trailing',
    '0',
  ];
  const child = startCli([...args, '-o', 'out'], folder);
  await expect.poll(() => probesOf(folder).length, { timeout: 30_000 }).toBeGreaterThan(0);
  child.stderr.destroy();
  child.stdout.destroy();
  expect((await child).exitCode).toBe(0);
  expect(stored(folder, 'exit-now')).toEqual(['01.json', '02.json']);
});

test('SIGKILL leaves no probe either: it ends with the pipe of its parent', async () => {
  const folder = temporaryFolder();
  const child = startCli(short, folder);
  await expect.poll(() => probesOf(folder).length, { timeout: 30_000 }).toBeGreaterThan(0);
  child.kill('SIGKILL');
  await child;
  await expect.poll(() => probesOf(folder), { timeout: 10_000 }).toEqual([]);
});

test('a resumed run leaves complete trials alone and adds the missing ones', async () => {
  const folder = temporaryFolder();
  const child = startCli(short, folder);
  await expect.poll(() => stored(folder, 'exit-now').length, { timeout: 30_000 }).toBe(2);
  child.kill('SIGKILL');
  await child;
  const first = readFileSync(join(folder, 'out/trials/exit-now/01.json'), 'utf8');

  const partial = await startCli(['aggregate', 'out'], folder);
  expect(partial.exitCode).toBe(3);
  expect(partial.stdout).toMatch(/1 of 2 arms as expected · 1 discarded/);

  const refused = await startCli(['run', '--resume', 'out', '--repeats', '3'], folder);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('--repeats together with --resume');

  const resumed = await startCli(['run', '--resume', 'out'], folder);
  expect(resumed.exitCode).toBe(0);
  expect(resumed.stderr).toContain('2 of 4 trials are complete');
  expect(readFileSync(join(folder, 'out/trials/exit-now/01.json'), 'utf8')).toBe(first);
  expect(stored(folder, 'ignore')).toEqual(['01.json', '02.json']);
  const { arms } = z
    .object({ arms: z.array(z.object({ status: z.string() })) })
    .parse(JSON.parse(readFileSync(join(folder, 'out/aggregate.json'), 'utf8')));
  expect(arms.map(({ status }) => status)).toEqual(['complete', 'complete']);
});
