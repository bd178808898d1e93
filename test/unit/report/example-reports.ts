import type { Aggregate, ArmAggregate, MetricAggregate, OutcomeCount } from '../../../src/domain/aggregate.ts';
import type { Environment } from '../../../src/domain/environment.ts';
import type { Matrix } from '../../../src/domain/matrix.ts';
import { measured, notMeasured } from '../../../src/domain/measured.ts';
import type { Trial, TrialReport } from '../../../src/domain/trial.ts';
import { metrics } from '../../../src/metrics/index.ts';
import { measureTrial } from '../../../src/metrics/measure-trial.ts';
import type { RunManifest } from '../../../src/report/manifest.ts';
import { publishedReference } from '../../../src/report/published.ts';
import { scenarios } from '../../../src/scenarios/index.ts';
import { summarize, type Sample } from '../../../src/stats/summarize.ts';
import { drainedTrial } from '../metrics/example-trial.ts';

export const matrix: Matrix = {
  name: 'standard',
  description: 'The published experiment.',
  scenarios: ['exit-now', 'drain', 'ignore', 'drain-evict', 'drain-scale'],
  proxyModes: ['iptables'],
  kubernetesVersions: [],
  repeats: 5,
  gracePeriodSeconds: 30,
  flows: { tcp: 10, udp: 10 },
  tcpHeartbeatMs: 500,
  udpIntervalMs: 20,
  newConnectionIntervalMs: 10,
  evidence: false,
  settleSeconds: 10,
  trailingSeconds: 3,
  clusterReuse: 'fresh-per-scenario',
  concurrency: 1,
};

const node = (name: string, role: 'control-plane' | 'worker') => ({
  name,
  role,
  kernel: '6.8.0',
  osImage: 'Debian 12',
  containerRuntime: 'containerd://2.1.3',
  kubelet: 'v1.34.0',
});

export const environment: Environment = {
  tool: { version: '0.1.0', commit: '1a2b3c4d5e6f', dirty: false },
  provider: 'kind',
  kubernetesVersion: measured('v1.34.0'),
  proxyMode: measured('iptables'),
  proxyMinSyncPeriod: measured('1s'),
  proxySyncPeriod: measured('30s'),
  cni: measured('kindnet'),
  nodes: [node('one-control-plane', 'control-plane'), node('one-worker', 'worker')],
  probeImage: measured('sha256:0123'),
  nodeImage: notMeasured('the provider does not tell'),
  sysctls: measured({ 'net.netfilter.nf_conntrack_tcp_be_liberal': '0' }),
  hostTools: measured({ kind: 'kind v0.30.0 go1.24.6 linux/amd64', Docker: '28.2.2' }),
  client: { kernel: '6.8.0', node: 'v20.19.0', cpus: 2, architecture: 'x64' },
  path: 'the address of a node',
};

export const manifest: RunManifest = {
  schemaVersion: 1,
  run: 'standard-20260901',
  tool: environment.tool,
  matrix,
  provider: 'kind',
  startedAt: '2026-09-01T12:00:00.000Z',
  options: { keep: false, image: null },
};

export const reportOf = (trial: Trial): TrialReport => ({
  schemaVersion: 1,
  environment,
  trial,
  metrics: measureTrial(trial),
  unexpected: [],
  inconclusive: [],
});

/** Measured trial `repeat` of an arm. */
export const exampleReport = (repeat: number, scenario = 'drain'): TrialReport => {
  const id = `${scenario}.iptables`;
  const arm = { ...drainedTrial.arm, id, scenario };
  return reportOf({ ...drainedTrial, id: `${id}-${String(repeat).padStart(2, '0')}`, arm, repeat });
};

const published = publishedReference();

/** Metric values by name, each in the order of the trials. */
export type Values = Readonly<Record<string, Sample>>;

const publishedValues = (letter: string): Values =>
  Object.fromEntries(
    [...metrics].flatMap(({ name, publishedAs }) => {
      const arm = published.arms.find((candidate) => candidate.arm === letter);
      const [first, ...rest] = arm?.metrics.get(publishedAs ?? '')?.values ?? [];
      return first === undefined ? [] : [[name, [first, ...rest] as const]];
    }),
  );

const metricsOf = (values: Values, trials: readonly string[]): readonly MetricAggregate[] =>
  metrics.names().map((metric) => {
    const sample = values[metric];
    const reason = `${metric} was no part of the published run`;
    if (sample !== undefined) {
      return { metric, summary: measured(summarize(sample)), precisions: ['upper-bound'], notMeasured: [] };
    }
    return {
      metric,
      summary: notMeasured(reason),
      precisions: [],
      notMeasured: trials.map((trial) => ({ trial, reason })),
    };
  });

export interface ArmOptions {
  readonly tcp: readonly OutcomeCount[];
  readonly udp: readonly OutcomeCount[];
  readonly udpRehomed?: number;
  readonly exitCode?: number;
  readonly repeats?: number;
  readonly values?: Values;
}

/** A complete arm whose repeats all ended alike. */
export function armOf(scenario: string, options: ArmOptions): ArmAggregate {
  const { tcp, udp, udpRehomed = 0, exitCode = 0, repeats = 5, values = {} } = options;
  const id = `${scenario}.iptables`;
  const trials = Array.from({ length: repeats }, (_, index) => ({
    id: `${id}-0${index + 1}`,
    firstOnCluster: index === 0,
    tcp,
    udp,
    udpRehomed,
    causes: [],
    exitCode: measured(exitCode),
    clock: 'same-kernel' as const,
    stampDelayMs: 4.2,
    watchGaps: [],
    unexpected: [],
    inconclusive: [],
  }));
  return {
    status: 'complete',
    arm: { id, scenario, proxyMode: 'iptables', kubernetesVersion: null },
    label: scenarios.get(scenario).label,
    verdict: 'as-expected',
    disagreements: [],
    drift: [],
    trials,
    metrics: metricsOf(
      values,
      trials.map((trial) => trial.id),
    ),
  };
}

export const all = (outcome: string): readonly OutcomeCount[] => [{ outcome, flows: 10 }];

const reset = all('severed (rst)');
const drained = all('drained-clean-close');
const rehomed = { udp: all('severed (rehomed)'), udpRehomed: 10 };

export const publishedArms = [
  armOf('exit-now', { tcp: reset, ...rehomed, values: publishedValues('A') }),
  armOf('drain', { tcp: drained, ...rehomed, values: publishedValues('B') }),
  armOf('ignore', { tcp: reset, ...rehomed, exitCode: 137, values: publishedValues('C') }),
  armOf('drain-evict', { tcp: drained, ...rehomed, values: publishedValues('D') }),
  armOf('drain-scale', { tcp: drained, udp: all('severed (icmp-unreachable)'), values: publishedValues('E') }),
] as const;

/** The published run, as this project would aggregate it. */
export const aggregateOf = (changes: Partial<Aggregate> = {}): Aggregate => ({
  schemaVersion: 1,
  run: 'standard-20260901',
  matrix,
  startedAt: '2026-09-01T12:00:00.000Z',
  wallSeconds: measured(341),
  drift: [],
  environment: measured(environment),
  arms: publishedArms,
  comparisons: [],
  warmUps: 5,
  failedAttempts: [],
  ...changes,
});
