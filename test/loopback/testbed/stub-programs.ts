import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { processId, temporaryFolder, testbed } from './bash.ts';

const stubs = ['df', 'docker', 'dockerd', 'dpkg-query', 'gcc', 'go', 'id', 'iptables', 'sleep', 'sysctl', 'unshare'];

/** A machine of stand-ins with a cache of its own. */
export function machine() {
  const folder = temporaryFolder();
  const state = join(folder, 'state');
  for (const name of ['programs', 'state', 'run', 'home']) mkdirSync(join(folder, name));
  for (const name of stubs) symlinkSync(join(import.meta.dirname, 'stub.sh'), join(folder, 'programs', name));
  const read = (name: string) => (existsSync(join(state, name)) ? readFileSync(join(state, name), 'utf8') : '');
  return {
    cache: join(folder, 'cache'),
    programs: join(folder, 'programs'),
    runFolder: join(folder, 'run'),
    calls: () => read('calls').split('\n').slice(0, -1),
    read,
    run: (
      name: 'up.sh' | 'down.sh' | 'build.sh',
      env: Readonly<Record<string, string>> = {},
      args: readonly string[] = [],
    ) =>
      execa(join(testbed, name), args, {
        reject: false,
        extendEnv: false,
        env: {
          PATH: `${join(folder, 'programs')}:/usr/sbin:/usr/bin:/sbin:/bin`,
          HOME: join(folder, 'home'),
          TESTBED_CACHE: join(folder, 'cache'),
          TESTBED_RUN_FOLDER: join(folder, 'run'),
          TESTBED_LINKS: join(folder, 'programs'),
          STUB_STATE: state,
          ...env,
        },
      }),
    /** The id of the stand-in that hangs, once it does. */
    hanging: async () => {
      await expect.poll(() => read('hanging'), { timeout: 30_000 }).not.toBe('');
      return processId(read('hanging'));
    },
  };
}
