import { setTimeout as sleep } from 'node:timers/promises';
import { describeError } from '../../../domain/errors.ts';
import type { EvidenceKind, EvidenceSite } from '../../../domain/evidence.ts';
import { type Measured, measured, notMeasured } from '../../../domain/measured.ts';
import type { Runner, RunningProcess } from '../../../process/runner.ts';
import type { MonitorLine } from '../../../timeline/evidence/rule-changes.ts';
import { observeScript, observingLine } from './observe-script.ts';

/** Runs `docker` in the environment of the cluster's daemon. */
export interface DockerAccess {
  readonly runner: Runner;
  readonly environment: NodeJS.ProcessEnv;
}

/** From the start of the programs until they run; and from the end of their input until all is written. */
const startedWithinMs = 15_000;
const endedWithinMs = 10_000;

/** Observers that run on a node. Disposing ends them; their files stay. */
export interface NodeRecording extends AsyncDisposable {
  /** What the monitor of the rules told so far. */
  readonly lines: readonly MonitorLine[];
  /** Ends the observers; not measured: their files are not whole. */
  end(signal: AbortSignal): Promise<Measured<null>>;
}

/**
 * Starts the observers of a node. What keeps them from running is told at their end.
 *
 * @param folder for their files, in the node
 * @throws the reason of an aborted signal
 */
export async function observeNode(
  { runner, environment }: DockerAccess,
  site: EvidenceSite,
  { folder, kinds }: { readonly folder: string; readonly kinds: ReadonlySet<EvidenceKind> },
  signal: AbortSignal,
): Promise<NodeRecording> {
  const lines: MonitorLine[] = [];
  let complaint = '';
  let start: () => void = () => undefined;
  const started = new Promise<'started'>((resolve) => {
    start = () => {
      resolve('started');
    };
  });
  const { tcpPort, udpPort } = site.endpoint;
  const container = site.containerId ?? '';
  const args = [folder, String(tcpPort), String(udpPort), site.podAddress, [...kinds].join(' '), container];
  const observers = runner.start(
    'docker',
    ['exec', '--interactive', site.node, 'sh', '-c', observeScript, 'observe', ...args],
    {
      signal,
      env: environment,
      stdin: 'pipe',
      onStdoutLine: (line) => {
        if (line === observingLine) start();
        else lines.push({ seenNs: process.hrtime.bigint(), line });
      },
      onStderrLine: (line) => {
        complaint = line;
      },
    },
  );
  const outcome = await within(startedWithinMs, started, observers, signal);
  return {
    lines,
    async end(endSignal) {
      if (outcome !== 'started') return notMeasured(notStarted(site.node, outcome, complaint));
      observers.endInput();
      const ended = await within(endedWithinMs, new Promise<never>(() => undefined), observers, endSignal);
      if (ended === 'exited') return measured(null);
      return notMeasured(`the observers on node ${site.node} did not end within ${endedWithinMs / 1000} s`);
    },
    [Symbol.asyncDispose]: () => observers[Symbol.asyncDispose](),
  };
}

const notStarted = (node: string, outcome: 'exited' | 'late', complaint: string): string =>
  outcome === 'late'
    ? `no observer ran on node ${node} within ${startedWithinMs / 1000} s`
    : `no observer could be started on node ${node}: ${complaint}`;

async function within(
  ms: number,
  started: Promise<'started'>,
  { exited }: Pick<RunningProcess, 'exited'>,
  signal: AbortSignal,
): Promise<'started' | 'exited' | 'late'> {
  const timer = new AbortController();
  try {
    return await Promise.race([
      started,
      exited.then(() => 'exited' as const),
      sleep(ms, 'late' as const, { signal: AbortSignal.any([signal, timer.signal]) }),
    ]);
  } finally {
    timer.abort();
  }
}

/** Starts nothing, for a program that can't be started. */
export const nothingObserved = (error: unknown): NodeRecording => ({
  lines: [],
  end: () => Promise.resolve(notMeasured(describeError(error))),
  [Symbol.asyncDispose]: () => Promise.resolve(),
});
