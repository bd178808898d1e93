import type { Aggregate, ArmAggregate } from '../domain/aggregate.ts';
import { completeArms } from '../domain/arm-labels.ts';
import type { CauseCount } from '../domain/cause-count.ts';
import { causeWords } from '../domain/cause-words.ts';
import { formatMs } from '../domain/format-ms.ts';
import { groupBy } from '../domain/group-by.ts';
import { outcomeWords } from '../domain/outcome-words.ts';
import { plural } from './format.ts';

/** Why the flows of each arm were cut off, a line an arm; none for one without evidence. */
export const causeLines = (aggregate: Aggregate, label: (arm: ArmAggregate) => string): readonly string[] =>
  completeArms(aggregate).flatMap((arm) => {
    const phrases = causePhrases(arm);
    return phrases.length === 0 ? [] : [`why: ${label(arm)}: ${phrases.join('; ')}`];
  });

/** As `UDP re-homed: kube-proxy cleared their conntrack entries (50 of 50)`, of all repeats. */
function causePhrases({ trials }: ArmAggregate): readonly string[] {
  const totals = { tcp: 0, udp: 0 };
  for (const trial of trials) {
    for (const protocol of ['tcp', 'udp'] as const) {
      totals[protocol] += trial[protocol].reduce((sum, { flows }) => sum + flows, 0);
    }
  }
  return sums(trials.flatMap(({ causes }) => causes)).map((count) => {
    const { protocol, outcome, flows } = count;
    const how = `${protocol.toUpperCase()} ${outcomeWords(outcome)}`;
    return `${how}: ${causeWords(count)} (${flows} of ${totals[protocol]})`;
  });
}

/** The same cause of all trials together, TCP first and the most frequent first. */
function sums(counts: readonly CauseCount[]): readonly CauseCount[] {
  const groups = groupBy(counts, ({ protocol, outcome, cause, by }) => [protocol, outcome, cause, by].join('\n'));
  return [...groups.values()]
    .flatMap((group) => {
      const [one] = group;
      return one === undefined ? [] : [{ ...one, flows: group.reduce((sum, { flows }) => sum + flows, 0) }];
    })
    .toSorted((a, b) => a.protocol.localeCompare(b.protocol) || b.flows - a.flows);
}

/** What a trial's observers disagree about, as a finding against it. */
export function contradictions(causes: readonly CauseCount[]): readonly string[] {
  return (['tcp', 'udp'] as const).flatMap((protocol) => {
    const flows = causes
      .filter((count) => count.protocol === protocol)
      .reduce((sum, { contradicted }) => sum + contradicted, 0);
    return flows === 0
      ? []
      : [
          `client, packets and conntrack contradict each other about ${plural(flows, `${protocol.toUpperCase()} flow`)}`,
        ];
  });
}

const bounds = [
  ['tcp-end-detection', 'TCP ends'],
  ['udp-rehome-detection', 'UDP re-homings'],
  ['greatest-watch-delay', 'writes to the API server, by its watches'],
] as const;

/** How late the client was told, at most, against what observers of the node and the API server saw. */
export function errorBounds(aggregate: Aggregate): readonly string[] {
  const told = bounds.flatMap(([metric, what]) => {
    const maxima = completeArms(aggregate).flatMap(({ metrics }) =>
      metrics.flatMap(({ metric: name, summary }) =>
        name === metric && summary.status === 'measured' ? [summary.value.max] : [],
      ),
    );
    return maxima.length === 0 ? [] : [`${what} ${formatTenths(Math.max(...maxima))}`];
  });
  return told.length === 0
    ? []
    : [`Stamped after the packet on the node, or after the write, at most: ${told.join(', ')}.`];
}

/** A bound of less than a millisecond is none of 0. */
const formatTenths = (ms: number): string =>
  Math.abs(ms) < 10 ? `${ms.toFixed(1).replace('-', '−')} ms` : formatMs(ms);
