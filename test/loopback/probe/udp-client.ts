import { type Socket, createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Arrivals } from './arrivals.ts';

/** One connected UDP socket: it sees only what the probe sends to it. Disposing closes it. */
export class UdpClient implements Disposable {
  readonly #socket: Socket;
  readonly #datagrams = new Arrivals<string>();
  readonly #failed: Promise<unknown>;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#failed = new Promise((resolve) => socket.once('error', resolve));
    socket.on('message', (datagram) => {
      this.#datagrams.push(datagram.toString('latin1'));
    });
  }

  get datagrams(): readonly string[] {
    return this.#datagrams.items;
  }

  send(datagram: string): void {
    this.#socket.send(Buffer.from(datagram, 'utf8'));
  }

  ask(sequence: number): Promise<string> {
    this.send(`ping ${sequence}\n`);
    return this.#datagrams.nth(this.datagrams.length + 1, this.#failed);
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}

export async function dialUdp(port: number): Promise<UdpClient> {
  const socket = createSocket('udp4');
  socket.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return new UdpClient(socket);
}
