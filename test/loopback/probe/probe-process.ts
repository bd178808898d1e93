import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { Arrivals } from './arrivals.ts';
import { type LogLine, type LogLineOf, parseLogLine } from './probe-log.ts';

export const probeBundle = 'build/bundle/probe.js';
export const freePorts = ['--tcp-port=0', '--udp-port=0', '--http-port=0'];

type Environment = Readonly<Record<string, string | undefined>>;

export interface Ended {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The built probe as a child process, with its log as it comes. Disposing kills it. */
export class ProbeProcess implements AsyncDisposable {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Resolves when the process is gone and all that it wrote was read. */
  readonly ended: Promise<Ended>;
  stderr = '';
  readonly #log = new Arrivals<LogLine>();

  constructor(command: string, args: readonly string[], env: Environment = {}) {
    this.child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    createInterface({ input: this.child.stdout }).on('line', (text) => {
      this.#log.push(parseLogLine(text));
    });
    this.ended = once(this.child, 'close').then(() => ({
      exitCode: this.child.exitCode,
      signal: this.child.signalCode,
    }));
  }

  get log(): readonly LogLine[] {
    return this.#log.items;
  }

  get events(): readonly string[] {
    return this.log.map((line) => line.event);
  }

  /** The n-th line of that event, from 1; rejects when the process ends without it. */
  logged<E extends LogLine['event']>(event: E, nth = 1): Promise<LogLineOf<E>> {
    const isWanted = (line: LogLine): line is LogLineOf<E> => line.event === event;
    return this.#log.until((lines) => lines.filter(isWanted)[nth - 1], this.ended);
  }

  sigterm(): void {
    this.child.kill('SIGTERM');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

/** A probe that listens on loopback, on ports that were free. */
export async function startProbe(
  args: readonly string[] = [],
  env: Environment = { POD_NAME: 'pod-a' },
): Promise<ProbeProcess & { readonly started: LogLineOf<'started'> }> {
  const probe = new ProbeProcess(process.execPath, [probeBundle, '--host=127.0.0.1', ...freePorts, ...args], env);
  return Object.assign(probe, { started: await probe.logged('started') });
}
