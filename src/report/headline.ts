import type { Aggregate, ArmResult, ArmVerdict } from '../domain/aggregate.ts';
import type { Environment } from '../domain/environment.ts';
import { levelOf, type Factor } from '../domain/level-comparison.ts';
import { measured, type Measured } from '../domain/measured.ts';
import { drainMarginSeconds } from '../domain/scenario.ts';
import { completeArms } from '../domain/arm-labels.ts';
import type { Footnotes } from './footnotes.ts';
import { dash, formatDuration, plural } from './format.ts';
import type { PublishedReference } from './published.ts';
import { printable } from '../domain/printable.ts';
import { nbsp } from '../domain/format-ms.ts';
import { runVerdictOf } from '../domain/run-verdict.ts';

/** What a headline tells. */
export interface Answer {
  /** Arms that were to run: those that were skipped are neither for nor against a run. */
  readonly arms: number;
  readonly asExpected: number;
  /** Arms that stand against the run, by the way in which they do; a discarded one was to be measured. */
  readonly against: readonly { readonly count: number; readonly what: string }[];
  readonly drifted: boolean;
  readonly skipped: number;
  /** How many trials the complete arms have, and how long they took. */
  readonly trials: string;
}

/** The answer in a line. */
export function headline(aggregate: Aggregate): string {
  const { arms, asExpected, against, drifted, skipped, trials } = answer(aggregate);
  return joined([
    'drainwatch',
    `${asExpected} of ${plural(arms, 'arm')} as expected`,
    ...against.map(({ count, what }) => `${count} ${what}`),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
    ...(drifted ? [driftedWords] : []),
    trials,
  ]);
}

export const driftedWords = 'circumstances drifted';

export function answer(aggregate: Aggregate): Answer {
  const { arms, wallSeconds, drift } = aggregate;
  const complete = completeArms(aggregate);
  const absent = (status: ArmResult['status']) => arms.filter((arm) => arm.status === status).length;
  const judged = (verdict: ArmVerdict) => complete.filter((arm) => arm.verdict === verdict).length;
  const trials = complete.reduce((sum, arm) => sum + arm.trials.length, 0);
  const wall = wallSeconds.status === 'measured' ? ` in ${formatDuration(wallSeconds.value)}` : '';
  return {
    arms: arms.length - absent('skipped'),
    asExpected: judged('as-expected'),
    against: [
      { count: judged('not-as-expected'), what: 'not as expected' },
      { count: judged('inconclusive'), what: 'inconclusive' },
      { count: absent('discarded'), what: 'discarded' },
    ].filter(({ count }) => count > 0),
    drifted: drift.length > 0,
    skipped: absent('skipped'),
    trials: `${plural(trials, 'trial')}${wall}`,
  };
}

/** Parts of a line that is broken between them only. */
const joined = (parts: readonly string[]): string => parts.map((part) => part.replaceAll(' ', nbsp)).join(' · ');

/** Whether nothing stands against the run. */
export const allAsExpected = (aggregate: Aggregate): boolean => runVerdictOf(aggregate) === 'as-expected';

/** What the numbers hold for, and what measured them. */
export function environmentLine(aggregate: Aggregate, notes: Footnotes): string {
  const { environment } = aggregate;
  const tool = environment.status === 'measured' ? [toolName(environment.value.tool)] : [];
  return joined([...environmentFacts(aggregate, notes), ...tool]);
}

/** What the numbers hold for, a fact a part. */
export function environmentFacts({ environment, arms }: Aggregate, notes: Footnotes): readonly string[] {
  if (environment.status === 'not-measured') return [`environment ${absent(environment.reason, notes)}`];
  const { provider, kubernetesVersion, proxyMode, cni, nodes } = environment.value;
  const fact = (name: string, value: Measured<string>) =>
    value.status === 'measured' ? printable(value.value) : `${name} ${absent(value.reason, notes)}`;
  const versions = levelsIn(arms, 'kubernetes-version');
  const modes = levelsIn(arms, 'proxy-mode');
  const version = versions.length > 1 ? measured(versions.join(', ')) : kubernetesVersion;
  return [
    version.status === 'measured' ? `Kubernetes ${printable(version.value)}` : fact('Kubernetes', version),
    fact('proxy mode', modes.length > 1 ? measured(modes.join(', ')) : proxyMode),
    fact('CNI', cni),
    ...(nodes.length === 0 ? [] : [plural(nodes.length, 'node')]),
    `provider ${printable(provider)}`,
  ];
}

/** The levels that a run has numbers of: where it varies a factor, one environment is not that of all. */
const levelsIn = (arms: readonly ArmResult[], factor: Factor): readonly string[] => [
  ...new Set(arms.flatMap((result) => (result.status === 'complete' ? (levelOf(result.arm, factor) ?? []) : []))),
];

/** A commit, shortened as git does; or the bundle's digest where the tool was copied out of its repository. */
const toolName = ({ commit, dirty }: Environment['tool']): string =>
  `${/^[0-9a-f]{7,40}$/.test(commit) ? `commit ${commit.slice(0, 7)}` : printable(commit)}${dirty ? ' with uncommitted changes' : ''}`;

/** What every trial was run under; another grace period than the published one is said to be so. */
export function conditionsLine({ matrix }: Aggregate, published: PublishedReference | undefined): string {
  const { gracePeriodSeconds: grace, flows } = matrix;
  const drain = Math.max(grace - drainMarginSeconds, 0);
  const others = [...new Set(published?.arms.map((arm) => arm.gracePeriodSeconds))].filter(
    (seconds) => seconds !== grace,
  );
  return joined([
    `grace ${grace} s${others.length === 0 ? '' : ` (published: ${others.join(', ')} s)`}`,
    `drain ${drain} s`,
    `settle ${matrix.settleSeconds} s`,
    `${flows.tcp} TCP flows, a heartbeat every ${matrix.tcpHeartbeatMs} ms`,
    `${flows.udp} UDP flows, a datagram every ${matrix.udpIntervalMs} ms`,
  ]);
}

const absent = (reason: string, notes: Footnotes): string => `${dash} ${notes.mark(printable(reason))}`;
