import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** How a peer treats the pings that it reads. */
export interface PeerVoice {
  identity: string;
  /** Reads and does not answer. */
  mute: boolean;
}

/** A TCP server that answers pings as a probe does, and ends connections as it is told. */
export class TcpPeer implements AsyncDisposable {
  readonly voice: PeerVoice;
  readonly sockets = new Set<Socket>();
  readonly #server: Server;

  constructor(identity: string) {
    this.voice = { identity, mute: false };
    this.#server = createServer({ noDelay: true }, (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        if (!this.voice.mute) socket.write(answersTo(chunk.toString(), this.voice.identity));
      });
    });
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return portOf(this.#server.address());
  }

  /** Sends RST on every connection. */
  reset(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  /** Sends FIN on every connection, after `lastWords`. */
  end(lastWords = ''): void {
    for (const socket of this.sockets) socket.end(lastWords);
  }

  write(text: string): void {
    for (const socket of this.sockets) socket.write(text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export function answersTo(pings: string, identity: string): string {
  return [...pings.matchAll(/ping (\d+)\n/g)]
    .map(([, sequence]) => `pong ${sequence ?? ''} ${process.hrtime.bigint()} ${identity}\n`)
    .join('');
}

export function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the socket is bound to a port');
  return address.port;
}
