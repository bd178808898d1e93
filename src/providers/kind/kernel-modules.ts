import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Runner } from '../../process/runner.ts';

/** Where the kernel tells of itself; another root in tests. */
export interface KernelPaths {
  readonly root: string;
  /** As `uname -r` tells it. */
  readonly release: string;
}

const linesOf = (path: string): readonly string[] => {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    return [];
  }
};

/** Loaded, or built in. A kernel without loadable modules has neither list, but names what it has in /sys/module. */
function hasModule(name: string, { root, release }: KernelPaths): boolean {
  const fileName = new RegExp(`/${name.replaceAll(/[-_]/g, '[-_]')}\\.ko$`);
  return (
    existsSync(join(root, 'sys/module', name)) ||
    linesOf(join(root, 'proc/modules')).some((line) => line.startsWith(`${name} `)) ||
    linesOf(join(root, 'lib/modules', release, 'modules.builtin')).some((line) => fileName.test(line))
  );
}

export const missingModules = (modules: readonly string[], paths: KernelPaths): readonly string[] =>
  modules.filter((name) => !hasModule(name, paths));

const modprobeMs = 30_000;

/** Whether modprobe would find them for this kernel. Loads nothing and needs no right. */
export async function canBeLoaded(modules: readonly string[], runner: Runner, signal: AbortSignal): Promise<boolean> {
  try {
    await runner.run('modprobe', ['--dry-run', '--all', ...modules], { signal, timeoutMs: modprobeMs });
    return true;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

/** Loads modules as this user may: itself, or by a sudo that asks for no password. Whether it helped is seen afterwards. */
export async function loadModules(modules: readonly string[], runner: Runner, signal: AbortSignal): Promise<void> {
  const modprobe = ['modprobe', '--all', ...modules];
  for (const [file = '', ...args] of [modprobe, ['sudo', '--non-interactive', ...modprobe]]) {
    try {
      await runner.run(file, args, { signal, timeoutMs: modprobeMs });
      return;
    } catch {
      signal.throwIfAborted();
    }
  }
}
