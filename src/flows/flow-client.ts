import { resolve } from 'node:path';
import type { FlowClient, FlowSpec, OpenFlows } from '../domain/client.ts';
import { inputError } from '../domain/errors.ts';
import { FlowThread } from './flow-thread.ts';
import { requireDescriptors } from './open-files.ts';

export interface FlowClientOptions {
  /** The built `flow-worker.js`; a relative path is of the working directory. */
  readonly workerFile: string;
}

/**
 * Opens flows on a thread of their own.
 *
 * `open` resolves when each flow was dialled, or noted why it could not be: what then holds, `status` says. It rejects
 * with the abort reason when `signal` aborts before that, and then leaves nothing open.
 */
export function createFlowClient({ workerFile }: FlowClientOptions): FlowClient {
  return { open: (spec, signal) => openFlows(resolve(workerFile), spec, signal) };
}

async function openFlows(workerFile: string, spec: FlowSpec, signal: AbortSignal): Promise<OpenFlows> {
  signal.throwIfAborted();
  requireUsable(spec);
  requireDescriptors(spec.tcp + spec.udp);
  const thread = new FlowThread(workerFile, spec);
  const stop = () => void thread[Symbol.asyncDispose]();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await thread.opened;
    signal.throwIfAborted();
    return thread;
  } catch (error) {
    await thread[Symbol.asyncDispose]();
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The least period: with less, a schedule of whole milliseconds would only skip. */
const minPeriodMs = 1;

/** @throws {ActionableError} of kind `input` for numbers that no schedule can keep. */
function requireUsable(spec: FlowSpec): void {
  const { tcpHeartbeatMs, udpIntervalMs, tcpReadTimeoutMs, udpSilenceMs } = spec;
  const periods = Object.entries({ tcpHeartbeatMs, udpIntervalMs, tcpReadTimeoutMs, udpSilenceMs });
  const counts = Object.entries({ tcp: spec.tcp, udp: spec.udp });
  const wrong = [
    ...periods.filter(([, ms]) => !(Number.isFinite(ms) && ms >= minPeriodMs)),
    ...counts.filter(([, count]) => !(Number.isSafeInteger(count) && count >= 0)),
  ];
  if (wrong.length === 0) return;
  throw inputError({
    expected: `periods of at least ${minPeriodMs} ms, and whole numbers of flows`,
    found: wrong.map(([name, value]) => `${name} is ${value}`).join(', '),
    remedy: 'correct the matrix or the options that these numbers came from',
  });
}
