import { comparedLevels, type LevelComparison, type LevelFinding } from '../../domain/level-comparison.ts';
import { printable } from '../../domain/printable.ts';
import { leastRepeats } from '../../stats/least-repeats.ts';
import { formatPercent, plural } from '../format.ts';
import { levelMarksLine, pText } from './words.ts';

/** In what else the levels differ: a line each. */
export const otherDifferences = ({ alsoDiffer }: LevelComparison): readonly string[] =>
  alsoDiffer.map((text) => printable(`not alike besides, so a difference may be of it: ${text}`));

/** How many differences of times the tests decided, in a line. */
export function levelCounts(comparison: LevelComparison): string {
  const metrics = comparedLevels(comparison).flatMap((level) => level.metrics);
  const count = (wanted: LevelFinding) => metrics.filter(({ finding }) => finding === wanted).length;
  const parts = [
    `${count('shifted')} shifted`,
    `${count('no-shift')} shown not to`,
    `${count('undecided')} undecided`,
    `${count('one-sided')} measured at one of the two levels alone`,
  ];
  return `${plural(metrics.length, 'difference')} of times: ${parts.join(', ')}.`;
}

/** What the tests can bear, and what they can't. */
export function levelRemarks(comparison: LevelComparison): readonly string[] {
  const { tests, reference, confidence } = comparison;
  const compared = comparedLevels(comparison);
  if (compared.length === 0) return [];
  const level = 1 - confidence;
  const others = comparedCount(comparison);
  return [
    levelCounts(comparison),
    levelMarksLine(comparison),
    `Each scenario and metric is a question of its own: the exact rank sum test of Mann and Whitney against ${printable(reference)}, corrected for ${plural(others, 'other level')} (Holm), with the shift of Hodges and Lehmann and its exact interval; outcomes by exact counts of trials (Freeman and Halton).`,
    ...leastPValues(comparison),
    ...(tests === 0 ? [] : [overall(comparison, level)]),
  ];
}

/** Levels that are compared with the reference: the size of the largest families. */
const comparedCount = (comparison: Pick<LevelComparison, 'rows'>): number =>
  new Set(comparedLevels(comparison).map(({ level }) => level)).size;

/** What so many repeats can show at best, and what all questions together make of it. */
function leastPValues({ rows }: LevelComparison): readonly string[] {
  const sizes = new Set(comparedLevels({ rows }).map(({ repeats }) => Math.min(repeats.reference, repeats.level)));
  return [...sizes].map((n) => {
    const least = 2 / choose(2 * n, n);
    const corrected = Math.min(1, least * comparedCount({ rows }));
    return `${n} against ${n} repeats have no p below ${leastText(least)}, corrected ${leastText(corrected)}.`;
  });
}

const leastText = (p: number): string => pText(p).replace(/^p (?:= )?/, '');

function overall({ tests, rows }: LevelComparison, level: number): string {
  const shifted = comparedLevels({ rows })
    .flatMap(({ metrics }) => metrics)
    .filter(({ finding }) => finding === 'shifted');
  const holding = shifted.filter(({ shift }) => shift.status === 'measured' && shift.value.overallPValue <= level);
  const needed = leastRepeats(level / tests);
  const strict = `Corrected for all ${tests} tests together, ${holding.length} of ${shifted.length} shifts hold`;
  const repeats = Math.min(
    ...comparedLevels({ rows }).map((one) => Math.min(one.repeats.reference, one.repeats.level)),
  );
  const none = repeats < needed ? `; that takes at least ${needed} repeats` : '';
  return `${strict}${none}. Question by question, up to ${formatPercent(level)} of those without a difference may pass the test by chance; the floor holds back the small ones of them.`;
}

/** Exact for as many repeats as the exact tests take. */
function choose(n: number, k: number): number {
  let ways = 1;
  for (let index = 1; index <= k; index += 1) ways = (ways * (n - k + index)) / index;
  return ways;
}
