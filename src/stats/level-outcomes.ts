import type { TrialSummary } from '../domain/aggregate.ts';
import type { ShiftFinding } from '../domain/comparison.ts';
import { outcomeAspects, type LevelOutcome, type OutcomeAspect } from '../domain/level-comparison.ts';
import { freemanHalton } from './freeman-halton.ts';
import { holm } from './holm.ts';
import { leastRepeats } from './least-repeats.ts';
import { largestSample } from './rank-sum-distribution.ts';
import { countWays, inOrder, isAlike, pairedCounts, sizeOf, type Ways } from './way-counts.ts';

/**
 * In what ways the trials of each level came out other than those of the reference, level by level. A trial's way is
 * which outcomes its flows had, not how many flows had each: counts that differ from trial to trial would make every
 * trial a way of its own, and nothing could be told of any. The levels of one aspect are one family.
 */
export function compareLevelOutcomes(
  reference: readonly TrialSummary[],
  levels: readonly (readonly TrialSummary[])[],
  level: number,
): readonly (readonly LevelOutcome[])[] {
  const byAspect = outcomeAspects.map((aspect) => {
    const ours = waysOf(reference, aspect);
    const pairs = levels.map((trials) => ({ ours, theirs: waysOf(trials, aspect) }));
    const pValues = pairs.map(pValueOf);
    // a family of which one test can't be done is not judged
    const adjusted = pValues.includes(null) ? [] : holm(pValues.flatMap((pValue) => pValue ?? []));
    return pairs.map(({ theirs }, index): LevelOutcome | undefined => {
      if (sizeOf(ours) === 0 || sizeOf(theirs) === 0 || isAlike(ours, theirs)) return undefined;
      const adjustedPValue = adjusted[index] ?? null;
      const repeats = Math.min(sizeOf(ours), sizeOf(theirs));
      return {
        aspect,
        reference: inOrder(ours),
        level: inOrder(theirs),
        pValue: pValues[index] ?? null,
        adjustedPValue,
        finding: findingOf(adjustedPValue, repeats, { level, tests: levels.length }),
      };
    });
  });
  return levels.map((_, index) => byAspect.flatMap((outcomes) => outcomes[index] ?? []));
}

/** An aspect that a trial does not tell of is no way in which it came out. */
const waysOf = (trials: readonly TrialSummary[], aspect: OutcomeAspect): Ways =>
  countWays(trials.flatMap((trial) => wayOf(trial, aspect) ?? []));

function wayOf({ tcp, udp, udpRehomed, causes, exitCode }: TrialSummary, aspect: OutcomeAspect): string | undefined {
  switch (aspect) {
    case 'tcp-outcomes':
      return namesOf(tcp.map(({ outcome }) => outcome));
    case 'udp-outcomes':
      return namesOf(udp.map(({ outcome }) => outcome));
    case 'udp-rehomed':
      return shareOf(
        udpRehomed,
        udp.reduce((sum, { flows }) => sum + flows, 0),
      );
    case 'exit-code':
      return exitCode.status === 'measured' ? `${exitCode.value}` : undefined;
    case 'tcp-causes':
      return namesOf(causes.filter(({ protocol }) => protocol === 'tcp').map(({ cause }) => cause));
    case 'udp-causes':
      return namesOf(causes.filter(({ protocol }) => protocol === 'udp').map(({ cause }) => cause));
    default:
      return aspect satisfies never;
  }
}

/** Each once, in the order of the alphabet; nothing where there is none. */
const namesOf = (names: readonly string[]): string | undefined =>
  names.length === 0 ? undefined : [...new Set(names)].toSorted().join(' + ');

function shareOf(flows: number, total: number): string | undefined {
  if (total === 0) return undefined;
  if (flows === 0) return 'none';
  return flows === total ? 'all' : 'some';
}

interface Pair {
  readonly ours: Ways;
  readonly theirs: Ways;
}

/** 1 where there is nothing to tell apart; null for more trials than exact tests take. */
function pValueOf(pair: Pair): number | null {
  const [m, n] = [sizeOf(pair.ours), sizeOf(pair.theirs)];
  if (Math.max(m, n) > largestSample) return null;
  return m === 0 || n === 0 ? 1 : freemanHalton(pairedCounts(pair.ours, pair.theirs));
}

function findingOf(
  adjustedPValue: number | null,
  repeats: number,
  { level, tests }: { readonly level: number; readonly tests: number },
): ShiftFinding {
  if (adjustedPValue === null) return 'undecided';
  if (adjustedPValue <= level) return 'shifted';
  // with fewer repeats not even two samples that have nothing in common could be told apart
  return repeats < leastRepeats(level / tests) ? 'undecided' : 'no-shift';
}
