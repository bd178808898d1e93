import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { answersTo, type PeerVoice } from './tcp-peer.ts';

/** A UDP socket that answers pings as a probe does, and notes when each came from which port. */
export class UdpPeer implements AsyncDisposable {
  readonly voice: PeerVoice;
  readonly receivedNs = new Map<number, bigint[]>();
  readonly #socket: Socket = createSocket('udp4');
  #isClosed = false;

  constructor(identity: string) {
    this.voice = { identity, mute: false };
    this.#socket.on('message', (datagram, { port, address }) => {
      const nowNs = process.hrtime.bigint();
      const received = this.receivedNs.get(port) ?? [];
      received.push(nowNs);
      this.receivedNs.set(port, received);
      if (!this.voice.mute) this.#socket.send(answersTo(datagram.toString(), this.voice.identity), port, address);
    });
  }

  /** Port 0 takes a free one. */
  async bind(port = 0): Promise<number> {
    this.#socket.bind(port, '127.0.0.1');
    await once(this.#socket, 'listening');
    return this.#socket.address().port;
  }

  /** To every client that was heard. */
  write(text: string): void {
    for (const port of this.receivedNs.keys()) this.#socket.send(text, port, '127.0.0.1');
  }

  /** From here on the kernel answers with port unreachable. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#socket.close();
    await once(this.#socket, 'close');
  }
}
