import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ToolRecord } from '../domain/environment.ts';
import type { Runner } from '../process/runner.ts';
import type { BundledFiles } from './bundled-files.ts';

/** Set by the build (scripts/build.mjs) from package.json. */
export const toolVersion: string = process.env.DRAINWATCH_VERSION ?? 'unbuilt';

/** Which tool measures: the commit of its checkout, or the digest of its bundle where it was copied out of one. */
export async function readToolRecord(runner: Runner, { folder }: BundledFiles): Promise<ToolRecord> {
  const checkout = dirname(folder);
  const git = async (...args: readonly string[]) => (await runner.run('git', ['-C', checkout, ...args])).stdout.trim();
  try {
    // a bundle that was copied into somebody else's repository must not carry that one's commit
    if ((await git('rev-parse', '--show-toplevel')) !== checkout) return await bundleRecord(folder);
    const commit = await git('rev-parse', 'HEAD');
    const changes = await git('status', '--porcelain', '--untracked-files=no');
    return { version: toolVersion, commit, dirty: changes !== '' };
  } catch {
    return bundleRecord(folder);
  }
}

async function bundleRecord(folder: string): Promise<ToolRecord> {
  const digest = createHash('sha256')
    .update(await readFile(join(folder, 'cli.js')))
    .digest('hex');
  return { version: toolVersion, commit: `bundle-${digest.slice(0, 12)}`, dirty: false };
}
