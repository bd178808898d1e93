import { connect, type Socket } from 'node:net';
import type { Endpoint } from '../../domain/workload.ts';
import { LineSplitter } from '../line-splitter.ts';
import { encodePing, parseAnswer } from '../protocol-lines.ts';
import { systemErrorOf } from '../system-error.ts';
import { notOfProtocol, settlementOf } from './attempt-error.ts';
import type { Settlement } from './attempt-log.ts';
import type { Dial, DialListener } from './dial.ts';

/** One connection, one ping, one answer. */
export class TcpDial implements Dial {
  readonly #listener: DialListener;
  readonly #sequence: number;
  readonly #socket: Socket;
  readonly #splitter = new LineSplitter();
  #isOver = false;

  constructor({ address: host, tcpPort: port }: Endpoint, listener: DialListener) {
    this.#listener = listener;
    this.#sequence = listener.started();
    this.#socket = connect({ host, port, noDelay: true });
    this.#socket.on('data', (chunk) => {
      this.#read(chunk);
    });
    this.#socket.on('end', () => {
      this.#settle({ outcome: 'closed', detail: null });
    });
    this.#socket.on('error', (error) => {
      this.#settle(settlementOf(systemErrorOf(error)));
    });
    // leaves when the connection is open
    this.#socket.write(encodePing(this.#sequence));
  }

  abandon(): void {
    this.#isOver = true;
    this.#close();
  }

  #read(chunk: Buffer): void {
    if (this.#isOver) return;
    const { lines, overlong } = this.#splitter.push(chunk);
    for (const line of lines) {
      const message = parseAnswer(line);
      if (message?.kind === 'pong' && message.sequence === this.#sequence) {
        this.#settle({ outcome: 'answered', detail: message.identity });
        return;
      }
      // an announced close is told by the FIN that follows
      if (message?.kind !== 'bye') this.#settle(notOfProtocol);
    }
    if (overlong) this.#settle(notOfProtocol);
  }

  #settle(settlement: Settlement): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#listener.settled(settlement);
    this.#close();
  }

  /**
   * With an RST, not a FIN: hundreds of connections a second that each kept its port in TIME-WAIT for a minute would use
   * up the client's ports, and the conntrack table of every node on the path.
   */
  #close(): void {
    // a reset waits for the connection, which may never come
    if (this.#socket.connecting) this.#socket.destroy();
    else this.#socket.resetAndDestroy();
  }
}
