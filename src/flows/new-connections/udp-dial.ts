import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Endpoint } from '../../domain/workload.ts';
import { encodePing, parsePong } from '../protocol-lines.ts';
import { systemErrorOf } from '../system-error.ts';
import { notOfProtocol, settlementOf } from './attempt-error.ts';
import type { Settlement } from './attempt-log.ts';
import type { Dial, DialListener } from './dial.ts';
import type { SourcePorts } from './source-ports.ts';

/** So many ports in a row may be in use by others. */
const mostPortsTried = 50;

/** One datagram from a port that was not used lately, and its answer. */
export class UdpDial implements Dial {
  readonly #endpoint: Endpoint;
  readonly #ports: SourcePorts;
  readonly #listener: DialListener;
  #socket: Socket;
  #sequence: number | undefined;
  #portsTried = 0;
  #isOver = false;

  constructor(endpoint: Endpoint, ports: SourcePorts, listener: DialListener) {
    this.#endpoint = endpoint;
    this.#ports = ports;
    this.#listener = listener;
    this.#socket = this.#open();
  }

  abandon(): void {
    this.#isOver = true;
    this.#socket.close();
  }

  #open(): Socket {
    const socket = createSocket(isIPv6(this.#endpoint.address) ? 'udp6' : 'udp4');
    socket.on('error', (error) => {
      this.#fail(error);
    });
    socket.on('message', (datagram) => {
      this.#read(datagram);
    });
    // connected: a socket that is not is told of no ICMP error
    socket.once('listening', () => {
      if (!this.#isOver) socket.connect(this.#endpoint.udpPort, this.#endpoint.address);
    });
    socket.once('connect', () => {
      this.#ask();
    });
    this.#portsTried += 1;
    socket.bind({ port: this.#ports.take(), exclusive: true });
    return socket;
  }

  #ask(): void {
    if (this.#isOver) return;
    this.#sequence = this.#listener.started();
    this.#socket.send(encodePing(this.#sequence), (error) => {
      if (error !== null) this.#fail(error);
    });
  }

  #read(datagram: Buffer): void {
    const pong = parsePong(datagram.toString('latin1'));
    const isOwn = pong !== null && pong.sequence === this.#sequence;
    this.#settle(isOwn ? { outcome: 'answered', detail: pong.identity } : notOfProtocol);
  }

  #fail(error: Error): void {
    if (this.#isOver) return;
    const systemError = systemErrorOf(error);
    if (systemError.code === 'EADDRINUSE' && this.#portsTried < mostPortsTried) {
      this.#socket.close();
      this.#socket = this.#open();
      return;
    }
    // where it can't even be sent, the attempt is this moment
    this.#sequence ??= this.#listener.started();
    this.#settle(settlementOf(systemError));
  }

  #settle(settlement: Settlement): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#listener.settled(settlement);
    this.#socket.close();
  }
}
