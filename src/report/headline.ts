import type { Aggregate, ArmResult, ArmVerdict } from '../domain/aggregate.ts';
import type { Environment } from '../domain/environment.ts';
import type { Measured } from '../domain/measured.ts';
import { drainMarginSeconds } from '../domain/scenario.ts';
import { completeArms } from './arm-labels.ts';
import type { Footnotes } from './footnotes.ts';
import { dash, formatDuration, plural } from './format.ts';
import type { PublishedReference } from './published.ts';
import { printable } from './printable.ts';
import { nbsp } from './text-layout.ts';

/** The parts of a headline. */
export interface Answer {
  readonly asExpected: string;
  /** What stands against the run; empty where nothing does. */
  readonly against: readonly string[];
  /** Arms that did not run: neither for nor against it. */
  readonly skipped: readonly string[];
  readonly trials: string;
}

/** The answer in a line. */
export function headline(aggregate: Aggregate): string {
  const { asExpected, against, skipped, trials } = answer(aggregate);
  return joined(['drainwatch', asExpected, ...against, ...skipped, trials]);
}

/** Skipped arms are neither passed nor failed; a discarded one was to be measured and isn't as expected. */
export function answer(aggregate: Aggregate): Answer {
  const { arms, wallSeconds, drift } = aggregate;
  const complete = completeArms(aggregate);
  const absent = (status: ArmResult['status']) => arms.filter((arm) => arm.status === status).length;
  const judged = (verdict: ArmVerdict) => complete.filter((arm) => arm.verdict === verdict).length;
  const trials = complete.reduce((sum, arm) => sum + arm.trials.length, 0);
  const wall = wallSeconds.status === 'measured' ? ` in ${formatDuration(wallSeconds.value)}` : '';
  return {
    asExpected: `${judged('as-expected')} of ${plural(arms.length - absent('skipped'), 'arm')} as expected`,
    against: [
      ...some(judged('not-as-expected'), 'not as expected'),
      ...some(judged('inconclusive'), 'inconclusive'),
      ...some(absent('discarded'), 'discarded'),
      ...(drift.length === 0 ? [] : ['circumstances drifted']),
    ],
    skipped: some(absent('skipped'), 'skipped'),
    trials: `${plural(trials, 'trial')}${wall}`,
  };
}

/** Parts of a line that is broken between them only. */
const joined = (parts: readonly string[]): string => parts.map((part) => part.replaceAll(' ', nbsp)).join(' · ');

const some = (count: number, what: string): readonly string[] => (count === 0 ? [] : [`${count} ${what}`]);

/** Whether nothing stands against the run: every arm that was to run did, as expected. */
export const allAsExpected = ({ arms, drift }: Aggregate): boolean =>
  drift.length === 0 &&
  arms.every((arm) => arm.status === 'skipped' || (arm.status === 'complete' && arm.verdict === 'as-expected'));

/** What the numbers hold for, and what measured them. */
export function environmentLine(aggregate: Aggregate, notes: Footnotes): string {
  const { environment } = aggregate;
  const tool = environment.status === 'measured' ? [toolName(environment.value.tool)] : [];
  return joined([...environmentFacts(aggregate, notes), ...tool]);
}

/** What the numbers hold for, a fact a part. */
export function environmentFacts({ environment }: Aggregate, notes: Footnotes): readonly string[] {
  if (environment.status === 'not-measured') return [`environment ${absent(environment.reason, notes)}`];
  const { provider, kubernetesVersion, proxyMode, cni, nodes } = environment.value;
  const fact = (name: string, value: Measured<string>) =>
    value.status === 'measured' ? printable(value.value) : `${name} ${absent(value.reason, notes)}`;
  return [
    kubernetesVersion.status === 'measured'
      ? `Kubernetes ${printable(kubernetesVersion.value)}`
      : fact('Kubernetes', kubernetesVersion),
    fact('proxy mode', proxyMode),
    fact('CNI', cni),
    ...(nodes.length === 0 ? [] : [plural(nodes.length, 'node')]),
    `provider ${printable(provider)}`,
  ];
}

/** A commit, shortened as git does; or the bundle's digest where the tool was copied out of its repository. */
export const toolName = ({ commit, dirty }: Environment['tool']): string =>
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
