import type { OutcomeCount, TrialSummary } from '../domain/aggregate.ts';
import type { OutcomeDifference, ShiftFinding } from '../domain/comparison.ts';
import { freemanHalton } from './freeman-halton.ts';
import { leastRepeats } from './least-repeats.ts';
import { countWays, inOrder, isAlike, pairedCounts } from './way-counts.ts';

interface Aspect {
  readonly name: string;
  readonly read: (trial: TrialSummary) => string;
  /** Any difference counts, whatever chance could explain. */
  readonly strict?: true;
}

const aspects: readonly Aspect[] = [
  {
    name: 'expectation',
    read: ({ unexpected }) => (unexpected.length === 0 ? 'as expected' : 'not as expected'),
    strict: true,
  },
  { name: 'TCP outcomes', read: ({ tcp }) => describeCounts(tcp) },
  { name: 'UDP outcomes', read: ({ udp }) => describeCounts(udp) },
  { name: 're-homed UDP flows', read: ({ udpRehomed }) => `${udpRehomed}` },
  {
    name: 'exit codes',
    read: ({ exitCode }) => (exitCode.status === 'measured' ? `${exitCode.value}` : 'not measured'),
  },
];

/**
 * Every aspect in which two arms' trials did not come out in the same ways, each way as often. The trial is the unit.
 * What a scenario expects must hold in both or in neither; what it leaves open may differ by chance.
 */
export function compareOutcomes(
  a: readonly TrialSummary[],
  b: readonly TrialSummary[],
  level: number,
): readonly OutcomeDifference[] {
  return aspects.flatMap(({ name, read, strict = false }) => {
    const [ours, theirs] = [countWays(a.map(read)), countWays(b.map(read))];
    if (isAlike(ours, theirs)) return [];
    const pValue = freemanHalton(pairedCounts(ours, theirs));
    const repeats = Math.min(a.length, b.length);
    const finding = strict || pValue <= level ? 'shifted' : byChance(repeats, level);
    return [{ aspect: name, a: inOrder(ours), b: inOrder(theirs), pValue, finding }];
  });
}

/** With fewer repeats not even two samples that have nothing in common could be told apart. */
const byChance = (repeats: number, level: number): ShiftFinding =>
  repeats < leastRepeats(level) ? 'undecided' : 'no-shift';

/** In the order of the names: the same counts make the same text. */
const describeCounts = (counts: readonly OutcomeCount[]): string =>
  counts.length === 0
    ? 'none'
    : counts
        .map(({ outcome, flows }) => `${flows} ${outcome}`)
        .toSorted()
        .join(' + ');
