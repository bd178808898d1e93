import type { Aggregate } from '../../domain/aggregate.ts';
import type { AnchorConditions } from '../../domain/end-anchor.ts';
import type { Protocol } from '../../domain/flow.ts';
import { groupBy } from '../../domain/group-by.ts';
import { completeLevels, type LevelComparison, type LevelRow } from '../../domain/level-comparison.ts';
import { printable } from '../../domain/printable.ts';
import { shiftFloorMs } from '../../domain/shift-floor.ts';
import { behaviorOf, type Behavior } from './behavior.ts';
import type { LevelSentence } from './level-sentence.ts';
import { timeSentences } from './time-sentences.ts';
import { inWords, pText, underLevels } from './words.ts';

/** Differences between levels in words: how flows end first, then by how much times differ. */
export function levelSentences(aggregate: Aggregate, comparison: LevelComparison): readonly LevelSentence[] {
  const found = (['udp', 'tcp'] as const).map((protocol) => behaviorDifferences(aggregate, comparison, protocol));
  const [udp = [], tcp = []] = found;
  const told = [...udp, ...tcp].filter(isTold);
  return [
    ...merged(told, comparison),
    ...timeSentences(aggregate, comparison, (row) => told.some((one) => one.row === row && one.protocol === 'udp')),
    ...alike(aggregate, comparison, { udp, tcp }),
  ];
}

interface BehaviorDifference {
  readonly protocol: Protocol;
  readonly row: LevelRow;
  /** Levels by what becomes of flows there. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  /** Whether more differs than how lost flows were lost. */
  readonly inKind: boolean;
  /** Of the tests that support it the weakest of a level; null where a level that differs has none. */
  readonly pValue: number | null;
}

function behaviorDifferences(
  aggregate: Aggregate,
  { rows, reference, confidence }: LevelComparison,
  protocol: Protocol,
): readonly BehaviorDifference[] {
  const conditions = anchorConditions(aggregate);
  return rows.flatMap((row) => {
    const behaviors = completeLevels(aggregate.arms, row).flatMap(({ level, arm }) => {
      const behavior = behaviorOf(arm, protocol, conditions);
      return behavior === undefined ? [] : [{ level, behavior }];
    });
    const groups = groupBy(behaviors, ({ behavior }) => behavior.words);
    if (groups.size < 2) return [];
    const usual = behaviors.find(({ level }) => level === reference)?.behavior.words;
    const pValues = behaviors
      .filter(({ behavior }) => behavior.words !== usual)
      .map(({ level }) => supportOf(row, level, protocol, 1 - confidence));
    const known = pValues.filter((pValue) => pValue !== null);
    return [
      {
        protocol,
        row,
        inKind: differInKind(behaviors.map(({ behavior }) => behavior)),
        groups: new Map([...groups].map(([behavior, members]) => [behavior, members.map(({ level }) => level)])),
        pValue: usual === undefined || known.length < pValues.length ? null : Math.max(...known),
      },
    ];
  });
}

/** A moment that is not known is none other than one that is. */
const differInKind = (behaviors: readonly Behavior[]): boolean =>
  new Set(behaviors.map(({ kinds }) => kinds)).size > 1 ||
  new Set(behaviors.flatMap(({ anchor }) => anchor ?? [])).size > 1;

/** Whether a flow is refused or falls silent is often a matter of chance: not told unless a test tells it. */
const isTold = ({ inKind, pValue }: BehaviorDifference): boolean => inKind || pValue !== null;

const anchorConditions = ({ matrix }: Aggregate): AnchorConditions => ({
  gracePeriodSeconds: matrix.gracePeriodSeconds,
  nearMs: shiftFloorMs('trigger-to-first-udp-end', matrix) ?? 0,
});

const endMetrics: Readonly<Record<Protocol, readonly string[]>> = {
  tcp: ['trigger-to-last-tcp-end'],
  udp: ['trigger-to-first-udp-end', 'trigger-to-first-udp-rehome'],
};
const endAspects: Readonly<Record<Protocol, readonly string[]>> = {
  tcp: ['tcp-outcomes'],
  udp: ['udp-outcomes', 'udp-rehomed'],
};

/** The strongest test that tells the flows of a level from those of the reference; null where none does. */
function supportOf({ against }: LevelRow, level: string, protocol: Protocol, limit: number): number | null {
  const difference = against.find((one) => one.level === level);
  if (difference?.status !== 'compared') return null;
  const { outcomes, metrics } = difference;
  const pValues = [
    ...outcomes
      .filter(({ aspect, finding }) => endAspects[protocol].includes(aspect) && finding === 'shifted')
      .flatMap(({ adjustedPValue }) => adjustedPValue ?? []),
    ...metrics.flatMap(({ metric, finding, shift }) =>
      endMetrics[protocol].includes(metric) && finding === 'shifted' && shift.status === 'measured'
        ? [shift.value.adjustedPValue]
        : [],
    ),
  ];
  const least = Math.min(...pValues);
  return least <= limit ? least : null;
}

/** Scenarios in which the same becomes of the same levels share a sentence. */
function merged(differences: readonly BehaviorDifference[], { factor }: LevelComparison): readonly LevelSentence[] {
  const groups = groupBy(differences, ({ protocol, groups: levels, pValue }) =>
    JSON.stringify([protocol, [...levels], pValue !== null]),
  );
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const halves = [...first.groups].map(
      ([behavior, levels], index) =>
        `${underLevels(factor, levels)} ${index === 0 ? 'held flows ' : 'they '}${behavior}`,
    );
    const pValues = same.flatMap(({ pValue }) => pValue ?? []);
    const evidence =
      pValues.length === 0
        ? 'seen, but so few repeats can’t tell it from chance'
        : `exact tests, ${pText(Math.max(...pValues))}${same.length === 1 ? '' : ' or less'}`;
    const where = inWords(same.map(({ row }) => row.label));
    return [
      {
        supported: pValues.length > 0,
        text: printable(`${first.protocol.toUpperCase()}, ${where}: ${halves.join('; ')} (${evidence}).`),
      },
    ];
  });
}

/** Protocols whose flows end alike at all levels that were measured. */
function alike(
  aggregate: Aggregate,
  { rows, factor }: LevelComparison,
  differences: Readonly<Record<Protocol, readonly BehaviorDifference[]>>,
): readonly LevelSentence[] {
  const compared = rows.filter((row) => completeLevels(aggregate.arms, row).length > 1);
  if (compared.length === 0) return [];
  return (['tcp', 'udp'] as const).flatMap((protocol) => {
    const held = aggregate.matrix.flows[protocol] > 0;
    if (!held || differences[protocol].some(isTold)) return [];
    const levels = [
      ...new Set(compared.flatMap((row) => completeLevels(aggregate.arms, row).map(({ level }) => level))),
    ];
    const lost = differences[protocol].length > 0 ? '; whether lost ones are refused or fall silent varies' : '';
    return [
      {
        supported: false,
        text: `In all scenarios held ${protocol.toUpperCase()} flows ended alike ${underLevels(factor, levels)}${lost}.`,
      },
    ];
  });
}
