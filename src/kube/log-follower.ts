import { createInterface } from 'node:readline';
import { PassThrough, type Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type KubeConfig, Log } from '@kubernetes/client-node';
import { abortable } from './abortable.ts';
import { apiStatusOf } from './api-error.ts';
import { StreamConnection } from './stream-connection.ts';

export interface LogFollowerOptions {
  readonly config: KubeConfig;
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** Whether the container is known to have ended, so that its log can grow no more. */
  readonly hasEnded: () => boolean;
  /** Called once for each line; a line that is read again after a broken connection is recognised by its text. */
  readonly onLine: (line: string) => void;
  /** Called when the API server refuses the log to this user from the start: asking again is of no use. */
  readonly onRefused: (error: unknown) => void;
}

const retryAfterMs = 250;

/**
 * Follows a container's log from its start to its end, over broken connections. Each connection reads the log from the
 * start, as the probe writes a handful of lines: that loses nothing and asks nothing of the node's wall clock, as
 * `sinceTime` would. Resolves when the log ended or its pod is gone, or when `signal` is aborted; never rejects.
 *
 * A stream may end although the container lives (the kubelet lost the file, a proxy gave up) and its last lines may
 * follow a break; so only the end of a stream that was opened after the container had ended is the end of the log.
 */
export async function followLog(options: LogFollowerOptions, signal: AbortSignal): Promise<void> {
  const seen = new Set<string>();
  while (!signal.aborted) {
    const complete = options.hasEnded();
    const outcome = await readOnce(options, seen, signal);
    if (outcome === 'pod-gone' || outcome === 'refused' || (outcome === 'ended' && complete)) return;
    await delay(retryAfterMs, undefined, { signal }).catch(() => undefined);
  }
}

type Outcome = 'ended' | 'broken' | 'pod-gone' | 'refused';

async function readOnce(options: LogFollowerOptions, seen: Set<string>, signal: AbortSignal): Promise<Outcome> {
  const connection = new StreamConnection(options.config);
  const sink = new PassThrough();
  // client-node pipes without passing errors on: of a broken connection the sink alone would never hear
  const broken = new Promise<Outcome>((resolve) => {
    sink.once('pipe', (source: Readable) => {
      source.once('error', () => {
        resolve('broken');
      });
    });
  });
  const lines = createInterface({ input: sink });
  const ended = new Promise<Outcome>((resolve) => {
    lines.once('close', () => {
      resolve('ended');
    });
  });
  lines.on('line', (line) => {
    if (seen.has(line)) return;
    seen.add(line);
    options.onLine(line);
  });
  try {
    const { namespace, pod, container } = options;
    await abortable(new Log(connection).log(namespace, pod, container, sink, { follow: true }), signal);
    connection.watchOverPeer();
    return await abortable(Promise.race([broken, ended]), signal);
  } catch (error) {
    const status = apiStatusOf(error);
    if (status === 404) return 'pod-gone';
    // what could be read before will be again: a restarted API server refuses everything until it knows its roles
    if ((status !== 401 && status !== 403) || seen.size > 0) return 'broken';
    options.onRefused(error);
    return 'refused';
  } finally {
    connection.close();
    lines.close();
  }
}
