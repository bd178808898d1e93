import { setTimeout as sleep } from 'node:timers/promises';
import { harnessError, inputError, requirementError } from '../../domain/errors.ts';
import type { EventSink } from '../../domain/event.ts';
import type { PreflightResult } from '../../domain/preflight.ts';
import type { Termination } from '../../domain/trigger.ts';
import type { Workload, WorkloadSpec } from '../../domain/workload.ts';
import type { ProcessExit, RunningProcess, Runner } from '../../process/runner.ts';
import { readClock } from '../../timeline/client-clock.ts';
import { parseProbeLine, probeClockOf, probeEvent, type ProbeStart } from '../../timeline/probe-log.ts';
import { signalNumber } from './signal-number.ts';

export interface ProcessOptions {
  readonly runner: Runner;
  /** Path of the built probe. */
  readonly probeBundle: string;
  /** TCP and UDP port that the probe listens on; 0 takes a free one. */
  readonly port: number;
}

const address = '127.0.0.1';
const startLimitMs = 10_000;

/** Starts the probe as a child process and waits until it listens. */
export async function deployProcess(
  spec: WorkloadSpec,
  options: ProcessOptions,
  sink: EventSink,
  signal: AbortSignal,
): Promise<Workload> {
  const pod = spec.name;
  const complaints: string[] = [];
  let start: ProbeStart | undefined;
  let announce: (line: ProbeStart) => void = () => undefined;
  const started = new Promise<ProbeStart>((resolve) => (announce = resolve));
  const onStdoutLine = (text: string) => {
    const line = parseProbeLine(text);
    if (line === undefined) return;
    if (line.event === 'started') {
      start = line;
      announce(line);
    } else if (start !== undefined) {
      sink(probeEvent(line, pod, probeClockOf(start)));
    }
  };
  const child = options.runner.start(process.execPath, probeArguments(spec, options), {
    env: { POD_NAME: pod },
    stdin: 'pipe',
    onStdoutLine,
    onStderrLine: (line) => complaints.push(line),
  });
  try {
    const ready = await Promise.race([started, failToStart(child, complaints, options.port), startLimit(signal)]);
    return createWorkload(pod, spec, ready, child, sink);
  } catch (error) {
    await child[Symbol.asyncDispose]();
    throw error;
  }
}

function probeArguments(spec: WorkloadSpec, { probeBundle, port }: ProcessOptions): readonly string[] {
  return [
    probeBundle,
    ...['--behavior', spec.behavior],
    ...['--drain-seconds', `${spec.drainSeconds}`],
    ...['--host', address],
    ...['--tcp-port', `${port}`, '--udp-port', `${port}`, '--http-port', '0'],
    // a run that is killed leaves no probe behind: its end closes this pipe
    '--exit-with-stdin',
  ];
}

async function failToStart(child: RunningProcess, complaints: readonly string[], port: number): Promise<never> {
  const exit = await child.exited;
  const said = complaints.at(-1) ?? `it ended with ${describeExit(exit)}`;
  if (exit.exitCode === 2 && port !== 0) {
    throw inputError({
      expected: `port ${port} of ${address} is free`,
      found: said,
      remedy: 'give another --port, or 0 for any free one',
    });
  }
  throw requirementError({
    expected: 'the probe starts as a plain process',
    found: said,
    remedy: 'run `doctor` to see what this machine lacks',
  });
}

async function startLimit(signal: AbortSignal): Promise<never> {
  await sleep(startLimitMs, undefined, { signal, ref: false });
  throw harnessError({
    expected: `the probe listens within ${startLimitMs / 1000} s`,
    found: 'it did not say so',
    remedy: 'look for what keeps this machine busy',
  });
}

function createWorkload(
  pod: string,
  spec: WorkloadSpec,
  start: ProbeStart,
  child: RunningProcess,
  sink: EventSink,
): Workload {
  const kill = new AbortController();
  const gone = child.exited.then((exit) => {
    kill.abort();
    const facts = exitFacts(exit);
    if (facts === undefined) return;
    const payload = { pod, ...facts };
    sink({ name: 'process-exited', source: 'orchestrator', stamp: 'at-receipt', reading: readClock(), payload });
  });
  const end = async () => {
    kill.abort();
    await child[Symbol.asyncDispose]();
  };
  return {
    pod,
    identity: start.identity,
    endpoint: { address, tcpPort: start.tcpPort, udpPort: start.udpPort },
    clock: probeClockOf(start),
    termination: createTermination(pod, spec.gracePeriodSeconds, child, sink, kill.signal),
    preflight: () => Promise.resolve(preflight(spec, start)),
    gone,
    leave: end,
    [Symbol.asyncDispose]: end,
  };
}

/** SIGTERM, the grace period, SIGKILL: what the kubelet does to a container, on its parent's clock. */
function createTermination(
  pod: string,
  gracePeriodSeconds: number,
  child: RunningProcess,
  sink: EventSink,
  ended: AbortSignal,
): Termination {
  const terminate = () => {
    child.kill('SIGTERM');
    sleep(gracePeriodSeconds * 1000, undefined, { signal: ended }).then(
      () => {
        const reading = readClock();
        if (!child.kill('SIGKILL')) return;
        sink({ name: 'sigkill-sent', source: 'orchestrator', stamp: 'at-occurrence', reading, payload: { pod } });
      },
      // the process ended within its grace period
      () => undefined,
    );
    return Promise.resolve();
  };
  const unsupported = () =>
    Promise.reject(
      requirementError({
        expected: 'a Kubernetes API',
        found: 'a plain process, which can only be deleted',
        remedy: 'use provider kind or kubeconfig',
      }),
    );
  return { deletePod: terminate, evictPod: unsupported, scaleToZero: unsupported };
}

/** In the form that Kubernetes reports: 128 + signal for a process ended by a signal. Undefined when it was not told. */
function exitFacts({
  exitCode,
  signal,
}: ProcessExit): { readonly exitCode: number; readonly signal: number | null } | undefined {
  if (exitCode !== null) return { exitCode, signal: null };
  if (signal === null) return undefined;
  const number = signalNumber(signal);
  return { exitCode: 128 + number, signal: number };
}

const describeExit = ({ exitCode, signal }: ProcessExit) => signal ?? `status ${exitCode ?? 'unknown'}`;

function preflight(spec: WorkloadSpec, start: ProbeStart): readonly PreflightResult[] {
  const absent = (name: string): PreflightResult => ({ name, status: 'not-applicable', detail: 'there is no cluster' });
  const asAsked = start.behavior === spec.behavior && start.drainSeconds === spec.drainSeconds;
  return [
    { name: 'probe-pod-ready', status: 'met', detail: 'the process listens' },
    absent('k8s-watches-delivering'),
    absent('service-endpoint-ready'),
    absent('proxy-mode-as-requested'),
    {
      name: 'probe-behavior-as-requested',
      status: asAsked ? 'met' : 'unmet',
      detail: `${start.behavior}, drain ${start.drainSeconds} s`,
    },
  ];
}
