import type { OutcomeCount, TrialSummary } from '../domain/aggregate.ts';
import type { OutcomeDifference, ShiftFinding, WayCount } from '../domain/comparison.ts';
import { freemanHalton } from './freeman-halton.ts';
import { leastRepeats } from './least-repeats.ts';

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
    const [ours, theirs] = [countsOf(a.map(read)), countsOf(b.map(read))];
    const ways = [...new Set([...ours.keys(), ...theirs.keys()])];
    const pairs = ways.map((way) => [ours.get(way) ?? 0, theirs.get(way) ?? 0] as const);
    if (pairs.every(([inA, inB]) => inA * b.length === inB * a.length)) return [];
    const pValue = freemanHalton(pairs);
    const repeats = Math.min(a.length, b.length);
    const finding = strict || pValue <= level ? 'shifted' : byChance(repeats, level);
    return [{ aspect: name, a: inOrder(ours), b: inOrder(theirs), pValue, finding }];
  });
}

/** With fewer repeats not even two samples that have nothing in common could be told apart. */
const byChance = (repeats: number, level: number): ShiftFinding =>
  repeats < leastRepeats(level) ? 'undecided' : 'no-shift';

function countsOf(ways: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const way of ways) counts.set(way, (counts.get(way) ?? 0) + 1);
  return counts;
}

/** The most frequent first. */
const inOrder = (counts: ReadonlyMap<string, number>): readonly WayCount[] =>
  [...counts]
    .map(([way, trials]) => ({ way, trials }))
    .toSorted((x, y) => y.trials - x.trials || (x.way < y.way ? -1 : 1));

/** In the order of the names: the same counts make the same text. */
const describeCounts = (counts: readonly OutcomeCount[]): string =>
  counts.length === 0
    ? 'none'
    : counts
        .map(({ outcome, flows }) => `${flows} ${outcome}`)
        .toSorted()
        .join(' + ');
