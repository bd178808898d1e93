import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { Arrivals } from './arrivals.ts';

/** How a connection ended, as its client's kernel told it. */
export type TcpEnd = { readonly by: 'fin' } | { readonly by: 'error'; readonly code: string | undefined };

/**
 * libuv tells end-of-file when a reset arrives together with bytes that were not read yet. The reset's error is then
 * still on the socket: the next write gives it. After a FIN that write succeeds, or fails with EPIPE.
 */
async function isReset(socket: Socket): Promise<boolean> {
  if (!socket.writable) return false;
  return new Promise((resolve) => {
    socket.write('ping 0\n', (error) => {
      resolve(error instanceof Error && 'code' in error && error.code === 'ECONNRESET');
    });
  });
}

/** One real connection: the lines that it got, and its end. Disposing destroys it. */
export class TcpClient implements Disposable {
  readonly socket: Socket;
  readonly ended: Promise<TcpEnd>;
  readonly #lines = new Arrivals<string>();
  #unfinished = '';

  constructor(socket: Socket, staysOpen: boolean) {
    this.socket = socket;
    socket.setEncoding('latin1').on('data', (text: string) => {
      const parts = (this.#unfinished + text).split('\n');
      this.#unfinished = parts.pop() ?? '';
      this.#lines.push(...parts);
    });
    this.ended = new Promise((resolve) => {
      socket.on('error', (error: NodeJS.ErrnoException) => {
        resolve({ by: 'error', code: error.code });
      });
      socket.once('end', () => {
        void isReset(socket).then((reset) => {
          resolve(reset ? { by: 'error', code: 'ECONNRESET' } : { by: 'fin' });
          if (!staysOpen) socket.end();
        });
      });
    });
  }

  /** What came in, without newlines. */
  get lines(): readonly string[] {
    return this.#lines.items;
  }

  send(text: string): void {
    this.socket.write(text, 'latin1');
  }

  /** The n-th line to arrive, from 1; rejects when the connection ends before. */
  received(nth: number): Promise<string> {
    return this.#lines.nth(nth, this.ended);
  }

  ask(sequence: number): Promise<string> {
    this.send(`ping ${sequence}\n`);
    return this.received(this.lines.length + 1);
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }
}

/** Dials. With `staysOpen` the client keeps its own side open when the probe closes the other. */
export async function dialTcp(port: number, { staysOpen = false } = {}): Promise<TcpClient> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true, allowHalfOpen: true });
  await once(socket, 'connect');
  return new TcpClient(socket, staysOpen);
}
