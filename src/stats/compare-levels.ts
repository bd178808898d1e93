import type { ArmAggregate, ArmResult } from '../domain/aggregate.ts';
import { armLabeller } from '../domain/arm-labels.ts';
import { groupBy } from '../domain/group-by.ts';
import {
  factors,
  levelOf,
  type Factor,
  type LevelComparison,
  type LevelDifference,
  type LevelRow,
} from '../domain/level-comparison.ts';
import { compareLevelOutcomes } from './level-outcomes.ts';
import { judgeLevelMetrics } from './level-metrics.ts';
import { draftMetrics, type MetricDraft } from './metric-drafts.ts';

export interface LevelOptions {
  readonly factor: Factor;
  /** Of every interval, 0 to 1. */
  readonly confidence: number;
  readonly udpIntervalMs: number;
}

/**
 * The arms of one run by the level of a factor, scenario by scenario: how each level differs from the reference, which is
 * the first level that has numbers. Undefined where the run has less than two levels.
 *
 * A family of tests is what answers one question: one metric (or one aspect of the outcomes) of one scenario at all
 * levels. Its p-values are corrected together (Holm), so that with `confidence` no level is falsely told apart in it. Over
 * all families more false differences are due; `overallPValue` is what holds over all of them.
 */
export function compareLevels(
  arms: readonly ArmResult[],
  { factor, confidence, udpIntervalMs }: LevelOptions,
): Omit<LevelComparison, 'alsoDiffer'> | undefined {
  const levels = [...new Set(arms.flatMap(({ arm }) => levelOf(arm, factor) ?? []))];
  if (levels.length < 2) return undefined;
  const hasNumbers = (level: string) =>
    arms.some((result) => levelOf(result.arm, factor) === level && absence(result) === null);
  const reference = levels.find(hasNumbers) ?? levels[0] ?? '';
  const rows = rowsOf(arms, factor);
  const drafts = rows.map((row) => draftRow(row, { levels, reference, confidence, udpIntervalMs }));
  const tests = drafts.flatMap(({ compared }, row) =>
    compared.flatMap(({ metrics }) => metrics.map((draft) => ({ row, draft }))),
  );
  const rowOf = new Map(tests.map(({ row, draft }) => [draft, row]));
  const judged = judgeLevelMetrics(
    tests.map(({ draft }) => draft),
    (draft) => `${rowOf.get(draft) ?? ''} ${draft.metric}`,
    1 - confidence,
  );
  return {
    factor,
    levels,
    reference,
    confidence,
    tests: tests.filter(({ draft }) => draft.shift.status === 'measured').length,
    rows: drafts.map(({ row, against, compared }) => ({
      ...row,
      against: against.map((level): LevelDifference => {
        const found = compared.find((one) => one.difference.level === level.level);
        if (found === undefined) return level;
        return { ...found.difference, metrics: found.metrics.flatMap((draft) => judged.get(draft) ?? []) };
      }),
    })),
  };
}

interface Row {
  readonly scenario: string;
  readonly label: string;
  readonly arms: readonly { readonly level: string; readonly result: ArmResult }[];
}

/** A scenario and a level of every other factor a row. */
function rowsOf(arms: readonly ArmResult[], factor: Factor): readonly Row[] {
  const others = factors.filter((other) => other !== factor);
  const leveled = arms.flatMap((result) => {
    const level = levelOf(result.arm, factor);
    return level === null ? [] : [{ level, result }];
  });
  // a label that leaves this factor out
  const label = armLabeller({ arms: arms.map(({ arm, ...result }) => ({ ...result, arm: without(arm, factor) })) });
  const keyOf = ({ result: { arm } }: (typeof leveled)[number]) =>
    JSON.stringify([arm.scenario, ...others.map((other) => levelOf(arm, other))]);
  return [...groupBy(leveled, keyOf).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { result } = first;
    const named = { ...result, arm: without(result.arm, factor) };
    return [{ scenario: result.arm.scenario, label: label(named), arms: group }];
  });
}

function without(arm: ArmResult['arm'], factor: Factor): ArmResult['arm'] {
  switch (factor) {
    case 'proxy-mode':
      return { ...arm, proxyMode: null };
    case 'kubernetes-version':
      return { ...arm, kubernetesVersion: null };
    default:
      return factor satisfies never;
  }
}

/** Why an arm has no numbers to compare; null when it has. */
function absence(result: ArmResult): string | null {
  if (result.status !== 'complete') return `${result.status}: ${result.reason}`;
  return result.drift.length === 0 ? null : `its repeats drifted: ${result.drift.join('; ')}`;
}

interface DraftOptions {
  readonly levels: readonly string[];
  readonly reference: string;
  readonly confidence: number;
  readonly udpIntervalMs: number;
}

interface RowDraft {
  readonly row: Omit<LevelRow, 'against'>;
  /** A level each; those to be compared are empty yet. */
  readonly against: readonly LevelDifference[];
  readonly compared: readonly {
    readonly difference: Extract<LevelDifference, { status: 'compared' }>;
    readonly metrics: readonly MetricDraft[];
  }[];
}

function draftRow({ scenario, label, arms }: Row, options: DraftOptions): RowDraft {
  const { levels, reference, confidence } = options;
  const others = levels.filter((level) => level !== reference);
  const ours = numbersOf(arms, reference);
  const found = others.map((level) => ({ level, theirs: numbersOf(arms, level) }));
  const pairs = found.flatMap(({ level, theirs }) =>
    typeof ours === 'string' || typeof theirs === 'string' ? [] : [{ level, ours, theirs }],
  );
  const outcomes = compareLevelOutcomes(
    typeof ours === 'string' ? [] : ours.trials,
    pairs.map(({ theirs }) => theirs.trials),
    1 - confidence,
  );
  const compared = pairs.map((pair, index) => ({
    difference: {
      status: 'compared',
      level: pair.level,
      repeats: { reference: pair.ours.trials.length, level: pair.theirs.trials.length },
      outcomes: outcomes[index] ?? [],
      metrics: [],
    } as const,
    metrics: draftMetrics(pair.ours, pair.theirs, options, { older: 'arm', sides: 'levels' }),
  }));
  return {
    row: { scenario, label, arms: arms.map(({ level, result }) => ({ level, arm: result.arm.id })) },
    against: found.map(({ level, theirs }): LevelDifference => {
      const done = compared.find(({ difference }) => difference.level === level);
      if (done !== undefined) return done.difference;
      const reason = typeof theirs === 'string' ? theirs : `${reference}: ${typeof ours === 'string' ? ours : ''}`;
      return { status: 'not-compared', level, reason };
    }),
    compared,
  };
}

/** The arm at a level, or why it has no numbers. */
function numbersOf(arms: Row['arms'], level: string): ArmAggregate | string {
  const result = arms.find((one) => one.level === level)?.result;
  if (result === undefined) return 'no part of the run';
  const reason = absence(result);
  if (reason !== null) return reason;
  return result.status === 'complete' ? result : 'not complete';
}
