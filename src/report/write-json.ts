import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { writeAtomic } from './write-atomic.ts';

/** Checked before it is written: a NaN would else become a null that only a later read complains of. */
export async function writeJson<T>(path: string, schema: z.ZodType<T>, value: T): Promise<void> {
  const text = `${JSON.stringify(schema.parse(value), null, 2)}\n`;
  await mkdir(dirname(path), { recursive: true });
  await writeAtomic(path, text);
}
