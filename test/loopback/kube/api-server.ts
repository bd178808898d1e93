import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KubeConfig } from '@kubernetes/client-node';

export type Answer = (request: IncomingMessage, response: ServerResponse, url: URL) => void;

/** An HTTP server in the API server's place: each test says what it answers, and it keeps what it was asked. */
export interface ApiServer extends AsyncDisposable {
  readonly port: number;
  readonly config: KubeConfig;
  /** Paths with their queries, in the order of the requests. */
  readonly asked: readonly URL[];
}

export async function startApiServer(answer: Answer): Promise<ApiServer> {
  const asked: URL[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://api');
    asked.push(url);
    answer(request, response, url);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    config: configFor(`http://127.0.0.1:${port}`),
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function configFor(server: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: 'c', server, skipTLSVerify: true }],
    users: [{ name: 'u' }],
    contexts: [{ name: 'x', cluster: 'c', user: 'u' }],
    currentContext: 'x',
  });
  return config;
}

/** Sends headers at once, as the API server does for a watch, and leaves the response open. */
export function openStream(response: ServerResponse): ServerResponse {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  return response;
}

export const refuse = (response: ServerResponse, code: number, message: string): void => {
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ kind: 'Status', status: 'Failure', message, code }));
};
