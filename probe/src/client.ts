import { extname } from 'node:path';
import { StartFailure, hasCode } from './start-failure.ts';

/**
 * Starts the client that dials new connections, a program of its own that the image holds beside this one (PROTOCOL.md,
 * Client). Throws a StartFailure where there is none.
 */
export async function startClient(): Promise<void> {
  const file = new URL(`./agent${extname(import.meta.url)}`, import.meta.url);
  try {
    await import(file.href);
  } catch (error) {
    if (!hasCode(error, 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new StartFailure(`dial needs ${file.pathname}, which is not there`, error);
  }
}
