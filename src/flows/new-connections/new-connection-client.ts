import { resolve } from 'node:path';
import type { NewConnectionClient, NewConnectionSpec, OpenNewConnections } from '../../domain/new-connections.ts';
import { ProberThread } from './prober-thread.ts';

export interface NewConnectionClientOptions {
  /** The built `new-connections-worker.js`; a relative path is of the working directory. */
  readonly workerFile: string;
}

/** Dials on a thread of its own, from the opening until it is finished. */
export function createNewConnectionClient({ workerFile }: NewConnectionClientOptions): NewConnectionClient {
  return { open: (spec, signal) => startDialling(resolve(workerFile), spec, signal) };
}

async function startDialling(
  workerFile: string,
  spec: NewConnectionSpec,
  signal: AbortSignal,
): Promise<OpenNewConnections> {
  signal.throwIfAborted();
  const thread = new ProberThread(workerFile, spec);
  const stop = () => void thread[Symbol.asyncDispose]();
  signal.addEventListener('abort', stop, { once: true });
  await thread.opened;
  signal.removeEventListener('abort', stop);
  if (!signal.aborted) return thread;
  await thread[Symbol.asyncDispose]();
  throw signal.reason;
}
