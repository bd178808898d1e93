import { connect, type Socket } from 'node:net';
import type { FlowSpec } from '../domain/client.ts';
import type { FlowEnd } from '../domain/flow.ts';
import { FlowFacts, type EndWatcher } from './flow-facts.ts';
import { LineSplitter } from './line-splitter.ts';
import type { FlowSurroundings, LiveFlow } from './live-flow.ts';
import { Pace, randomPhaseNs, type Paced } from './pace.ts';
import { encodePing, parseAnswer } from './protocol-lines.ts';
import { monotonicNs, nsOfMs } from './schedule.ts';
import { SendLog } from './send-log.ts';
import { SilenceWatch, type Waiting } from './silence-watch.ts';
import { systemErrorOf, type SystemError } from './system-error.ts';

/**
 * What every socket of the thread is read into: bytes are taken from it before the next read, and without it Node.js
 * would allocate 64 KiB for each.
 */
const receiveBuffer = Buffer.allocUnsafeSlow(4_096);

/** One held TCP connection with heartbeats. Its first end is final: a connection does not come back. */
export class TcpFlow implements LiveFlow, Paced, Waiting {
  readonly facts: FlowFacts;
  readonly #spec: FlowSpec;
  readonly #surroundings: FlowSurroundings;
  readonly #splitter = new LineSplitter();
  #socket: Socket | undefined;
  #isOpen = false;
  /** The stream's end, until it is known whether a reset hid behind it. */
  #streamEnd: FlowEnd | undefined;

  constructor(id: string, spec: FlowSpec, surroundings: FlowSurroundings, watcher: EndWatcher) {
    this.#spec = spec;
    this.#surroundings = surroundings;
    this.facts = new FlowFacts(id, 'tcp', new SendLog(spec.tcpHeartbeatMs, spec.tcpReadTimeoutMs), watcher);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** A dial without a reply for the read time-out is given up as ETIMEDOUT; the kernel would take minutes. */
  dial(): Promise<void> {
    const { address: host, tcpPort: port } = this.#spec.endpoint;
    // half-open, so that the peer's FIN is a fact of its own and not Node's answer to it
    const socket = connect({
      host,
      port,
      noDelay: true,
      allowHalfOpen: true,
      onread: {
        buffer: receiveBuffer,
        callback: (length, buffer) => {
          this.#read(Buffer.from(buffer.buffer, 0, length), monotonicNs());
          return true;
        },
      },
    });
    this.#socket = socket;
    return new Promise((resolve) => {
      const fail = (error: SystemError) => {
        this.facts.noteDialError(error);
        socket.destroy();
        resolve();
      };
      const onDialError = (error: Error) => {
        fail(systemErrorOf(error));
      };
      socket.once('error', onDialError);
      socket.setTimeout(this.#spec.tcpReadTimeoutMs, () => {
        fail({ code: 'ETIMEDOUT', syscall: 'connect' });
      });
      socket.once('connect', () => {
        socket.setTimeout(0);
        if (socket.localPort !== undefined) this.facts.noteLocalPort(socket.localPort);
        this.#hold(socket);
        socket.removeListener('error', onDialError);
        resolve();
      });
    });
  }

  close(): void {
    this.#isOpen = false;
    if (this.#streamEnd !== undefined) this.facts.noteEnd(this.#streamEnd);
    this.#socket?.destroy();
  }

  sendPing(): void {
    this.#socket?.write(encodePing(this.facts.noteSend(monotonicNs())));
  }

  waitingSinceNs(): bigint | undefined {
    return this.facts.waitingSinceNs();
  }

  noteSilence(sinceNs: bigint): void {
    this.#end({ kind: 'no-answer', atNs: monotonicNs(), sinceNs });
  }

  #hold(socket: Socket): void {
    this.#isOpen = true;
    this.facts.noteDialed();
    socket.on('end', () => {
      this.#endOfStream(socket, monotonicNs());
    });
    socket.on('error', (error) => {
      this.#end({ kind: 'error', atNs: monotonicNs(), ...systemErrorOf(error) });
    });
    this.sendPing();
    this.#startPace();
  }

  #startPace(): void {
    const { schedule, lateness } = this.#surroundings;
    const periodNs = nsOfMs(this.#spec.tcpHeartbeatMs);
    const limitNs = nsOfMs(this.#spec.tcpReadTimeoutMs);
    const nowNs = monotonicNs();
    schedule.add(nowNs + randomPhaseNs(periodNs), new Pace(this, periodNs, lateness));
    schedule.add(nowNs + limitNs, new SilenceWatch(this, limitNs));
  }

  #read(chunk: Buffer, receivedNs: bigint): void {
    const { lines, overlong } = this.#splitter.push(chunk);
    for (const line of lines) this.#readLine(line, receivedNs);
    // the protocol tells a receiver to close on it; no error of the operating system says that, EPROTO comes nearest
    if (overlong) this.#end({ kind: 'error', atNs: receivedNs, code: 'EPROTO', syscall: 'read' });
  }

  #readLine(line: string, receivedNs: bigint): void {
    const message = parseAnswer(line);
    if (message === null) {
      this.facts.noteUnparsed(line);
    } else if (message.kind === 'bye') {
      this.facts.noteBye(receivedNs);
    } else {
      const own = this.facts.notePong(message, receivedNs, line);
      if (own === null) return;
      this.#surroundings.exchanges.add(own.pod, { sentNs: own.sentNs, probeNs: message.monotonicNs, receivedNs });
    }
  }

  /**
   * libuv tells end-of-file, and no error, where a reset arrives together with bytes that were not read yet. The error
   * then waits on the socket for the next write: ECONNRESET after a reset, success or EPIPE after a FIN (tcp(7), RFC 9293
   * section 3.10.7.4). The write is there for that error only, and no ping of the flow: nobody will answer it.
   */
  #endOfStream(socket: Socket, atNs: bigint): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#streamEnd = { kind: 'fin', atNs };
    socket.write(encodePing(this.facts.nextSequence), (error) => {
      const failure = error == null ? undefined : systemErrorOf(error);
      this.facts.noteEnd(failure?.code === 'ECONNRESET' ? { kind: 'error', atNs, ...failure } : { kind: 'fin', atNs });
      socket.destroy();
    });
  }

  #end(end: FlowEnd): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.facts.noteEnd(end);
    this.#socket?.destroy();
  }
}
