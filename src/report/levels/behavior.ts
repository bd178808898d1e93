import type { ArmAggregate, OutcomeCount } from '../../domain/aggregate.ts';
import { endAnchor, type AnchorConditions, type EndAnchor } from '../../domain/end-anchor.ts';
import type { Protocol } from '../../domain/flow.ts';
import { outcomeOrder, outcomeWords } from '../../domain/outcome-words.ts';
import { totals } from '../outcome-table.ts';

/** What becomes of flows, after `they`. */
const verbs: ReadonlyMap<string, string> = new Map([
  ['drained-clean-close', 'are closed cleanly'],
  ['survived-observation-window', 'outlive the observation'],
  ['severed (rehomed)', 'are re-homed to another pod'],
  ['severed (icmp-unreachable)', 'are refused'],
  ['severed (rst)', 'are reset'],
  ['severed (unannounced-fin)', 'are closed unannounced'],
  ['severed (write-error)', 'are cut by a write error'],
  ['severed (silence)', 'fall silent'],
  ['read-timeout', 'time out'],
  ['not-measured', 'were not measured'],
]);

const moments: Readonly<Record<Exclude<EndAnchor, 'pod-killed' | 'pod-exited'>, string>> = {
  'replacement-ready': 'once the replacement is ready',
  'endpoint-removed': 'once the endpoint is removed',
  'endpoint-not-ready': 'once the endpoint is no longer ready',
  sigterm: 'once the pod has SIGTERM',
};

/** What became of an arm's flows. */
export interface Behavior {
  /** As it stands after `they`. */
  readonly words: string;
  /** What became of flows, without what differs from trial to trial anyhow: whether lost ones were refused or fell silent. */
  readonly kinds: string;
  /** Null where it is not known, as where no times were measured. */
  readonly anchor: EndAnchor | null;
}

/** Undefined where the arm held no flows of that protocol. */
export function behaviorOf(arm: ArmAggregate, protocol: Protocol, conditions: AnchorConditions): Behavior | undefined {
  const counts = totals(arm, protocol);
  if (counts.length === 0) return undefined;
  const anchor = endAnchor(arm, protocol, conditions);
  const kinds = new Set(counts.map(({ outcome }) => (kept.has(outcome) ? outcome : 'lost')));
  const later = protocol === 'udp' ? laterRehomed(arm, counts) : '';
  return { words: wordsOf(counts, anchor, later), kinds: [...kinds].toSorted().join(), anchor };
}

/** Outcomes that are not the loss of a flow. */
const kept: ReadonlySet<string> = new Set([
  'drained-clean-close',
  'survived-observation-window',
  'severed (rehomed)',
  'not-measured',
]);

function wordsOf(counts: readonly OutcomeCount[], anchor: EndAnchor | null, later: string): string {
  const ways = waysOf(counts);
  if (anchor === 'pod-exited' || anchor === 'pod-killed') {
    const end = anchor === 'pod-exited' ? 'exits' : 'is killed';
    const clean = counts.some(({ outcome }) => outcome === 'drained-clean-close');
    return clean
      ? `${ways} as their pod ${end}${later}`
      : `stay on the terminating pod until it ${end}, then ${ways}${later}`;
  }
  return `${ways}${anchor === null ? '' : ` ${moments[anchor]}`}${later}`;
}

/** From the best way to the worst. */
const waysOf = (counts: readonly OutcomeCount[]): string =>
  counts
    .map(({ outcome }) => outcome)
    .toSorted((a, b) => outcomeOrder.indexOf(a) - outcomeOrder.indexOf(b))
    .map((outcome) => verbs.get(outcome) ?? `end as ${outcomeWords(outcome)}`)
    .join(' or ');

function laterRehomed({ trials }: ArmAggregate, counts: readonly OutcomeCount[]): string {
  const rehomed = trials.reduce((sum, trial) => sum + trial.udpRehomed, 0);
  const atOnce = counts.find(({ outcome }) => outcome === 'severed (rehomed)')?.flows ?? 0;
  if (rehomed <= atOnce) return '';
  const total = counts.reduce((sum, { flows }) => sum + flows, 0);
  return rehomed === total && atOnce === 0 ? ', and later re-homed to another pod' : ', and some later re-homed';
}
