import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { type Listening, listen } from './listen.ts';

/** Liveness and readiness for the kubelet. */
export class HttpServer {
  readonly #server: Server;
  #ready = true;

  constructor() {
    this.#server = createServer((request, response) => {
      this.#respond(request, response);
    });
  }

  listen(at: Listening): Promise<number> {
    return listen(this.#server, at);
  }

  /** `/readyz` is 503 from now on. */
  withdrawReadiness(): void {
    this.#ready = false;
  }

  #respond(request: IncomingMessage, response: ServerResponse): void {
    const [status, text] = this.#stateOf(request.url?.split('?', 1)[0]);
    const allowed = request.method === 'GET' || request.method === 'HEAD';
    if (allowed) response.writeHead(status, { 'content-type': 'text/plain' }).end(`${text}\n`);
    else response.writeHead(405, { allow: 'GET, HEAD' }).end();
  }

  #stateOf(path: string | undefined): readonly [number, string] {
    if (path === '/healthz') return [200, 'alive'];
    if (path !== '/readyz') return [404, 'not found'];
    return this.#ready ? [200, 'ready'] : [503, 'readiness withdrawn'];
  }
}
