import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpServer } from './http-server.ts';
import type { Log } from './log.ts';
import type { TcpServer } from './tcp-server.ts';

/** What a behaviour acts on. */
export interface RunningProbe {
  readonly identity: string;
  readonly drainSeconds: number;
  readonly tcp: TcpServer;
  readonly http: HttpServer;
  readonly log: Log;
  /** Logs `exiting` and ends the process. */
  exit(exitCode: number): never;
}

const closeWaitMs = 1000;

type Behave = (probe: RunningProbe) => Promise<void>;

/** What SIGTERM does, by the value of `--behavior` (PROTOCOL.md, SIGTERM). */
export const behaviors = {
  'exit-now': resetAndExit,
  drain: withdrawAndDrain,
  ignore: () => Promise.resolve(),
  'drain-ready': drain,
} as const satisfies Record<string, Behave>;

export type Behavior = keyof typeof behaviors;

export const isBehavior = (name: string): name is Behavior => Object.hasOwn(behaviors, name);

async function resetAndExit(probe: RunningProbe): Promise<void> {
  await probe.tcp.resetConnections();
  probe.exit(0);
}

async function withdrawAndDrain(probe: RunningProbe): Promise<void> {
  const atNs = process.hrtime.bigint();
  probe.http.withdrawReadiness();
  probe.log('readiness-withdrawn', atNs, {});
  await drain(probe);
}

async function drain(probe: RunningProbe): Promise<void> {
  await sleep(probe.drainSeconds * 1000);

  const atNs = process.hrtime.bigint();
  const { connections, closed } = probe.tcp.announceClose(probe.identity);
  probe.log('close-announced', atNs, { connections });

  await Promise.race([closed, sleep(closeWaitMs)]);
  probe.exit(0);
}
