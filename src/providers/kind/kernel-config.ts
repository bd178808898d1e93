import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { KernelPaths } from './kernel-modules.ts';

/**
 * The options among these that the kernel was built without (`CONFIG_…` neither `y` nor `m`). None where the kernel's
 * configuration can't be read: what is not known is no lack.
 */
export function missingOptions(options: readonly string[], paths: KernelPaths): readonly string[] {
  const config = readConfig(paths);
  if (config === undefined) return [];
  const set = new Set(config.split('\n').flatMap((line) => /^(CONFIG_\w+)=[ym]$/.exec(line)?.[1] ?? []));
  return options.filter((name) => !set.has(name));
}

/** The kernel's own copy, else that of its package. */
function readConfig({ root, release }: KernelPaths): string | undefined {
  try {
    return gunzipSync(readFileSync(join(root, 'proc/config.gz'))).toString('utf8');
  } catch {
    try {
      return readFileSync(join(root, `boot/config-${release}`), 'utf8');
    } catch {
      return undefined;
    }
  }
}
