import { request } from 'node:http';
import { Duplex, PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { PortForward } from '@kubernetes/client-node';
import { z } from 'zod';
import { abortable } from './abortable.ts';
import type { KubernetesApi } from './api.ts';

export interface ForwardTarget {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
}

const answerWithinMs = 10_000;

interface Closable {
  close(): void;
  on(event: 'close', listener: () => void): void;
}

/** client-node types its web socket by a package that it alone depends on. */
const socketSchema = z.custom<Closable>(
  (value) => typeof value === 'object' && value !== null && 'close' in value && 'on' in value,
);

export interface PodRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/** GETs a path from a port inside a pod's network namespace. @throws as `askThroughPod` does */
export const getThroughPod = (
  api: KubernetesApi,
  target: ForwardTarget,
  path: string,
  signal: AbortSignal,
): Promise<string> => askThroughPod(api, target, { method: 'GET', path }, signal);

/**
 * Sends an HTTP request to a port inside a pod's network namespace, through the API server.
 * @throws when the port can't be reached, or does not answer with 200 within 10 s
 */
export async function askThroughPod(
  api: KubernetesApi,
  { namespace, pod, port }: ForwardTarget,
  asked: PodRequest,
  signal: AbortSignal,
): Promise<string> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]);
  const [fromPod, toPod, complaints] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const opening = new PortForward(api.config).portForward(namespace, pod, [port], fromPod, complaints, toPod);
  const socket = socketSchema.parse(await abortable(opening, limited));
  socket.on('close', () => fromPod.end());
  // without a listener on the port the kubelet says so on the error channel, and nothing on the data channel
  const refused = new Promise<never>((_resolve, reject) => {
    complaints.on('data', (complaint: Buffer) => {
      const message = complaint.toString('utf8').trim();
      if (message !== '') reject(new Error(message));
    });
  });
  const connection = Duplex.from({ readable: fromPod, writable: toPod });
  connection.on('error', () => undefined);
  try {
    return await abortable(Promise.race([httpRequest(connection, asked), refused]), limited);
  } finally {
    connection.destroy();
    socket.close();
  }
}

/** Node's own HTTP client over a given stream. */
const httpRequest = (connection: Duplex, { method, path, body }: PodRequest): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { connection: 'close' };
    const options = { method, path, host: 'localhost', headers, createConnection: () => connection };
    const sent = request(options, (response) => {
      if (response.statusCode === 200) text(response).then(resolve, reject);
      else reject(new Error(`HTTP ${response.statusCode ?? 'without a status'} for ${path}`));
    });
    sent.once('error', reject);
    sent.end(body);
  });
