import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';

export const builtCli = resolve('build/bundle/cli.js');

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'drainwatch-cli-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

export const stateIn = (folder: string) => ({
  XDG_STATE_HOME: join(folder, 'state'),
  XDG_CACHE_HOME: join(folder, 'cache'),
  NO_COLOR: '1',
});

/** Runs the built command line in a folder of its own, with state and cache of its own. */
export const startCli = (args: readonly string[], folder: string, env: Readonly<Record<string, string>> = {}) =>
  execa(process.execPath, [builtCli, ...args], {
    cwd: folder,
    reject: false,
    stdin: 'ignore',
    env: { ...stateIn(folder), ...env },
  });
