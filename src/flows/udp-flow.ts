import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { FlowSpec } from '../domain/client.ts';
import { FlowFacts, type EndWatcher } from './flow-facts.ts';
import type { FlowSurroundings, LiveFlow } from './live-flow.ts';
import { Pace, randomPhaseNs, type Paced } from './pace.ts';
import { encodePing, parsePong } from './protocol-lines.ts';
import { monotonicNs, nsOfMs } from './schedule.ts';
import { SendLog } from './send-log.ts';
import { SilenceWatch, type Waiting } from './silence-watch.ts';
import { systemErrorOf } from './system-error.ts';

/**
 * One UDP flow: a connected socket with a port of its own, which is what connection tracking knows a flow by. It sends
 * until it is closed, whatever happens: only so is a later answer by another pod seen.
 *
 * Being connected, the socket hears ICMP errors that the kernel holds to be final (ip(7), IP_RECVERR): port unreachable
 * comes as ECONNREFUSED, an administrative prohibition as EHOSTUNREACH. Host unreachable it does not hear: that is
 * silence here.
 */
export class UdpFlow implements LiveFlow, Paced, Waiting {
  readonly facts: FlowFacts;
  readonly #spec: FlowSpec;
  readonly #surroundings: FlowSurroundings;
  readonly #socket: Socket;
  #isOpen = false;
  readonly #onSent = (error: Error | null): void => {
    const nowNs = monotonicNs();
    if (error === null) return;
    this.facts.noteUnsent();
    this.#noteError(error, nowNs);
  };

  constructor(id: string, spec: FlowSpec, surroundings: FlowSurroundings, watcher: EndWatcher) {
    this.#spec = spec;
    this.#surroundings = surroundings;
    this.#socket = createSocket(isIPv6(spec.endpoint.address) ? 'udp6' : 'udp4');
    this.facts = new FlowFacts(id, 'udp', new SendLog(spec.udpIntervalMs, spec.udpSilenceMs), watcher);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get localPort(): number | undefined {
    return this.#isOpen ? this.#socket.address().port : undefined;
  }

  dial(): Promise<void> {
    const { address, udpPort } = this.#spec.endpoint;
    const socket = this.#socket;
    return new Promise((resolve) => {
      const onDialError = (error: Error) => {
        this.facts.noteDialError(systemErrorOf(error));
        socket.close();
        resolve();
      };
      socket.once('error', onDialError);
      socket.once('connect', () => {
        this.facts.noteLocalPort(socket.address().port);
        this.#hold();
        socket.removeListener('error', onDialError);
        resolve();
      });
      socket.connect(udpPort, address);
    });
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#socket.close();
  }

  sendPing(): void {
    this.#socket.send(encodePing(this.facts.noteSend(monotonicNs())), this.#onSent);
  }

  waitingSinceNs(): bigint | undefined {
    return this.facts.hasSocketEnd ? undefined : this.facts.waitingSinceNs();
  }

  noteSilence(sinceNs: bigint): void {
    this.facts.noteEnd({ kind: 'no-answer', atNs: monotonicNs(), sinceNs });
  }

  #hold(): void {
    this.#isOpen = true;
    this.facts.noteDialed();
    this.#socket.on('message', (datagram) => {
      this.#read(datagram, monotonicNs());
    });
    this.#socket.on('error', (error) => {
      this.#noteError(error, monotonicNs());
    });
    const { schedule, lateness } = this.#surroundings;
    const periodNs = nsOfMs(this.#spec.udpIntervalMs);
    const limitNs = nsOfMs(this.#spec.udpSilenceMs);
    const nowNs = monotonicNs();
    schedule.add(nowNs + randomPhaseNs(periodNs), new Pace(this, periodNs, lateness));
    schedule.add(nowNs + limitNs, new SilenceWatch(this, limitNs));
  }

  #read(datagram: Buffer, receivedNs: bigint): void {
    if (!this.#isOpen) return;
    const line = datagram.toString('latin1');
    const pong = parsePong(line);
    if (pong === null) {
      this.facts.noteUnparsed(line);
      return;
    }
    const own = this.facts.notePong(pong, receivedNs, line);
    if (own === null) return;
    this.#surroundings.exchanges.add(own.pod, { sentNs: own.sentNs, probeNs: pong.monotonicNs, receivedNs });
  }

  #noteError(error: Error, atNs: bigint): void {
    if (this.#isOpen) this.facts.noteEnd({ kind: 'error', atNs, ...systemErrorOf(error) });
  }
}
