import { type KubeConfig, Watch } from '@kubernetes/client-node';
import { z } from 'zod';
import { describeError } from '../domain/errors.ts';
import type { ClockReading } from '../domain/time.ts';
import { readClock } from '../timeline/client-clock.ts';
import { apiStatusOf } from './api-error.ts';
import { StreamConnection } from './stream-connection.ts';

/** Headers of a watch come at once, whatever there is to tell: their absence is a dead server, never silence. */
const headersWithinMs = 15_000;

/** How a watch's connection ended. */
export interface WatchEnd {
  /** The resource version is too old to continue from (410 Gone): only a new list tells what was missed. */
  readonly expired: boolean;
  readonly reason: string;
  /** The peer stopped answering, at a time nobody saw. */
  readonly peerLost: boolean;
}

export interface WatchStreamOptions {
  readonly path: string;
  readonly query: Readonly<Record<string, string | number | boolean>>;
  /** Headers arrived: the watch is open. */
  readonly onOpen: () => void;
  /** Called with the time of receipt, read before anything else was done with the message. */
  readonly onMessage: (type: string, object: unknown, reading: ClockReading) => void;
}

const statusSchema = z.object({ code: z.number().nullish(), message: z.string().nullish() });

/** Holds one watch connection open until it ends, or until `signal` is aborted. Never rejects. */
export async function streamWatch(
  base: KubeConfig,
  options: WatchStreamOptions,
  signal: AbortSignal,
): Promise<WatchEnd> {
  const connection = new StreamConnection(base);
  let told: WatchEnd | undefined;
  const tell = (end: WatchEnd) => {
    told ??= end;
    connection.close();
  };
  const onAbort = () => {
    tell({ expired: false, reason: 'stopped', peerLost: false });
  };
  const headersTimer = setTimeout(() => {
    tell({ expired: false, reason: `no answer within ${headersWithinMs / 1000} s`, peerLost: false });
  }, headersWithinMs);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    const ended = new Promise<WatchEnd>((resolve) => {
      const receive = (type: string, object: unknown) => {
        const reading = readClock();
        if (told !== undefined) return;
        // client-node swallows whatever a callback throws, as if the line had been no JSON
        try {
          if (type === 'ERROR') tell(endOfStatus(object));
          else options.onMessage(type, object, reading);
        } catch (error) {
          tell({ expired: true, reason: `an object could not be read: ${describeError(error)}`, peerLost: false });
        }
      };
      const done = (error: unknown) => {
        resolve(endOfConnection(error, connection.socketErrorCode));
      };
      const opening = new Watch(connection).watch(options.path, { ...options.query }, receive, done);
      opening.then((controller) => {
        clearTimeout(headersTimer);
        // already aborted here means that no headers came, and `done` said why
        if (controller.signal.aborted) return;
        connection.watchOverPeer();
        options.onOpen();
      }, done);
    });
    const end = await ended;
    return told ?? end;
  } finally {
    clearTimeout(headersTimer);
    signal.removeEventListener('abort', onAbort);
    connection.close();
  }
}

function endOfStatus(object: unknown): WatchEnd {
  const status = statusSchema.safeParse(object).data;
  const reason = `${status?.code ?? 'no code'}: ${status?.message ?? 'no message'}`;
  return { expired: status?.code === 410, reason, peerLost: false };
}

function endOfConnection(error: unknown, socketErrorCode: string | undefined): WatchEnd {
  if (socketErrorCode !== undefined) {
    return { expired: false, reason: socketErrorCode, peerLost: socketErrorCode === 'ETIMEDOUT' };
  }
  if (error === null || error === undefined) return { expired: false, reason: 'closed by the server', peerLost: false };
  const status = apiStatusOf(error);
  const message = error instanceof Error ? error.message : 'unknown error';
  return {
    expired: status === 410,
    reason: status === undefined ? message : `HTTP ${status}: ${message}`,
    peerLost: false,
  };
}
