import { type Server, type Socket, createServer } from 'node:net';
import { LineSplitter } from './line-splitter.ts';
import { type Listening, listen } from './listen.ts';
import { formatBye } from './protocol.ts';
import type { Responder } from './responder.ts';

/** The TCP side of the wire: every ping of every connection is answered until one of the two ways to end it all. */
export class TcpServer {
  readonly #responder: Responder;
  readonly #connections = new Set<Socket>();
  readonly #server: Server;

  constructor(responder: Responder) {
    this.#responder = responder;
    this.#server = createServer({ noDelay: true }, (socket) => {
      this.#serve(socket);
    });
  }

  listen(at: Listening): Promise<number> {
    return listen(this.#server, at);
  }

  /** Refuses new connections and resets (RST) every open one. Resolves when the kernel has sent the last reset. */
  async resetConnections(): Promise<void> {
    this.#server.close();
    const closed = this.#allClosed();
    for (const socket of this.#connections) {
      // The kernel is already closing a connection that was shut down, and Node.js can't reset it any more.
      if (socket.writable) socket.resetAndDestroy();
      else socket.destroy();
    }
    await closed;
  }

  /** Refuses new connections; writes `bye` and FIN to every open one. `closed` resolves when all peers closed too. */
  announceClose(identity: string): { readonly connections: number; readonly closed: Promise<void> } {
    this.#server.close();
    const closed = this.#allClosed();
    const open = [...this.#connections].filter((socket) => socket.writable);
    for (const socket of open) {
      socket.end(formatBye(process.hrtime.bigint(), identity));
      // Bytes left unread would turn the close into a reset.
      socket.resume();
    }
    return { connections: open.length, closed };
  }

  #serve(socket: Socket): void {
    const splitter = new LineSplitter();
    this.#connections.add(socket);
    socket.once('close', () => this.#connections.delete(socket));
    socket.on('error', () => {
      // One client's failure ends its connection only; the client's own record says how.
    });
    socket.on('data', (chunk) => {
      const { lines, overlong } = splitter.push(chunk);
      this.#answer(socket, lines);
      if (!overlong) return;
      this.#responder.countIgnored();
      socket.destroy();
    });
  }

  #answer(socket: Socket, lines: readonly string[]): void {
    // After `bye` was written a late ping is read, so that the peer's close is seen, and left unanswered.
    if (!socket.writable) return;
    for (const line of lines) {
      const answer = this.#responder.answer(line);
      if (answer !== null) socket.write(answer);
    }
    if (!socket.writableNeedDrain) return;
    // A client that sends and never reads would otherwise fill the memory.
    socket.pause();
    socket.once('drain', () => socket.resume());
  }

  async #allClosed(): Promise<void> {
    await Promise.all([...this.#connections].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
  }
}
