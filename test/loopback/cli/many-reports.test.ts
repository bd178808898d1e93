import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { builtCli, temporaryFolder } from './command.ts';

/** What summing up that many stored trials takes, by the operating system's account. */
async function aggregation(count: number): Promise<{ readonly cpuMs: number; readonly peakMb: number }> {
  const folder = temporaryFolder();
  const run = join(folder, 'run');
  execFileSync(process.execPath, ['scripts/bench/many-reports.mjs', run, String(count)]);
  const usage = resolve('scripts/bench/usage-at-exit.mjs');
  const { exitCode, stdio } = await execa(process.execPath, ['--import', usage, builtCli, 'aggregate', run], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  expect(exitCode).toBe(0);
  return JSON.parse(stdio[3]) as { readonly cpuMs: number; readonly peakMb: number };
}

test('summing up ten times the trials takes far less than ten times the memory, and no more time for each', async () => {
  const few = await aggregation(250);
  const many = await aggregation(2_500);
  // 60 MB more of reports were read, and twice that as objects
  expect(many.peakMb).toBeLessThan(1.7 * few.peakMb);
  expect(many.cpuMs).toBeLessThan(15 * few.cpuMs);
});
