import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the observers of one trial left in a folder, as text or bytes; undefined for what is not there. */
export interface NodeFiles {
  text(name: string): Promise<string | undefined>;
  bytes(name: string): Promise<Uint8Array | undefined>;
}

export function nodeFiles(folder: string): NodeFiles {
  const bytes = async (name: string) => {
    try {
      return await readFile(join(folder, name));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  };
  return { bytes, text: async (name) => (await bytes(name))?.toString('utf8') };
}
