import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Exec, type V1Status } from '@kubernetes/client-node';
import { z } from 'zod';
import { abortable } from './abortable.ts';
import type { KubernetesApi } from './api.ts';

export interface ExecTarget {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

const answerWithinMs = 20_000;

/** client-node types its web socket by a package that it alone depends on. */
const socketSchema = z.custom<{ close(): void }>(
  (value) => typeof value === 'object' && value !== null && 'close' in value,
);

/**
 * Runs a command in a container of a pod, through the API server, and gives its standard output.
 * @throws when it can't be run, fails, or does not end within 20 s
 */
export async function execInPod(
  api: KubernetesApi,
  { namespace, pod, container }: ExecTarget,
  command: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]);
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = Promise.all([text(stdout), text(stderr)]);
  output.catch(() => undefined);
  let onStatus: (status: V1Status) => void = () => undefined;
  const ended = new Promise<V1Status>((resolve) => {
    onStatus = resolve;
  });
  const tell = (status: V1Status) => {
    onStatus(status);
  };
  const opening = new Exec(api.config).exec(namespace, pod, container, [...command], stdout, stderr, null, false, tell);
  const socket = socketSchema.parse(await abortable(opening, limited));
  try {
    const { status, message } = await abortable(ended, limited);
    // client-node ended both streams with the status
    const [printed, complaint] = await output;
    if (status === 'Success') return printed;
    throw new Error(`\`${command.join(' ')}\` failed in pod ${pod}: ${complaint.trim() || (message ?? 'no message')}`);
  } finally {
    socket.close();
    stdout.destroy();
    stderr.destroy();
  }
}
