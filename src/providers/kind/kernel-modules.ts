import { existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { requirementError } from '../../domain/errors.ts';

/** Where the kernel tells of its modules; another root in tests. */
export interface KernelPaths {
  readonly root: string;
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

/**
 * Nodes share this kernel, so a proxy mode needs its modules here.
 * @throws {ActionableError} of kind `requirement` that names the missing modules.
 */
export function requireModules(
  mode: string,
  modules: readonly string[],
  paths: KernelPaths = { root: '/', release: release() },
): void {
  const missing = modules.filter((name) => !hasModule(name, paths));
  if (missing.length === 0) return;
  throw requirementError({
    expected: `the kernel has ${modules.join(', ')}, which proxy mode ${mode} needs`,
    found: `kernel ${paths.release} has no ${missing.join(', ')}`,
    remedy: `load them with \`sudo modprobe --all ${missing.join(' ')}\`, or use another proxy mode`,
  });
}
