import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { describeError, requirementError } from '../domain/errors.ts';

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

/** A native library as it is shipped: compressed, with what it was and what it is. */
const nativeFileSchema = z.strictObject({
  /** Beside the manifest. */
  file: z.string().regex(/^[0-9a-z.-]+$/),
  package: z.string(),
  version: z.string(),
  /** Of the package's archive, as the lock file has it. */
  integrity: z.string(),
  compressedSha256: sha256Schema,
  bytes: z.number().int().positive(),
  sha256: sha256Schema,
});

export type NativeFile = z.infer<typeof nativeFileSchema>;

const manifestSchema = z.strictObject({ libraries: z.record(z.string(), nativeFileSchema) });

/**
 * The library of this machine, by what `scripts/chart-assets.mjs` wrote beside it.
 *
 * @throws {ActionableError} of kind `requirement` where none is shipped for it, or the folder is not as it was built.
 */
export async function nativeFileFor(folder: string, platform: string): Promise<NativeFile> {
  const path = join(folder, 'manifest.json');
  const { libraries } = await readManifest(path);
  const found = libraries[platform];
  if (found !== undefined) return found;
  throw requirementError({
    expected: `charts are drawn on ${Object.keys(libraries).join(' or ')}`,
    found: `this machine is ${platform}`,
    remedy: 'draw the charts of the run elsewhere, or do without: everything else works here',
  });
}

async function readManifest(path: string): Promise<z.infer<typeof manifestSchema>> {
  try {
    return manifestSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw requirementError(
      {
        expected: `${path} as it was built`,
        found: describeError(error),
        remedy: 'restore the folder from the release',
      },
      error,
    );
  }
}

/** This machine as the manifest names it: `linux-x64`, and `linux-x64-musl` where the C library is not glibc. */
export function platformName(): string {
  const name = `${process.platform}-${process.arch}`;
  return process.platform === 'linux' && !hasGlibc() ? `${name}-musl` : name;
}

const reportSchema = z.object({ header: z.object({ glibcVersionRuntime: z.string().optional() }) });

const hasGlibc = (): boolean =>
  reportSchema.safeParse(process.report.getReport()).data?.header.glibcVersionRuntime !== undefined;
