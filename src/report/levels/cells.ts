import type { Aggregate, ArmResult } from '../../domain/aggregate.ts';
import { armAt, type LevelComparison, type LevelRow } from '../../domain/level-comparison.ts';
import { printable } from '../../domain/printable.ts';
import type { Footnotes } from '../footnotes.ts';
import { lostWhileDraining } from '../expectation-of.ts';
import { dash } from '../format.ts';
import { exitCodes, metricOf, phrase, totals, udpEnds, verdictMarks } from '../outcome-table.ts';
import { medianText } from './words.ts';

/** A scenario and what came of it at every level. */
export interface LevelLine {
  readonly label: string;
  /** In the order of the levels. */
  readonly cells: readonly string[];
}

/** One line a scenario. Why a cell is empty goes into the notes. */
export const levelLines = (
  { arms }: Aggregate,
  { levels, rows }: LevelComparison,
  notes: Footnotes,
): readonly LevelLine[] =>
  rows.map((row) => ({
    label: printable(row.label),
    cells: levels.map((level) => cellOf(armAt(arms, row, level), notes)),
  }));

function cellOf(result: ArmResult | undefined, notes: Footnotes): string {
  if (result === undefined) return `${dash} ${notes.mark('no part of the run')}`;
  if (result.status !== 'complete') return `${result.status} ${notes.mark(printable(result.reason))}`;
  const tcp = totals(result, 'tcp');
  const isLost = lostWhileDraining(result) !== undefined;
  const parts = [
    ...(tcp.length === 0 ? [] : [`TCP ${phrase(tcp)}${isLost ? ', lost as expected' : ''}`]),
    ...[udpEnds(result, notes)].flatMap((udp) => (udp === undefined ? [] : [`UDP ${udp}`])),
    `exit ${exitCodes(result, notes)}`,
  ];
  return `${verdictMarks[result.verdict]} ${parts.join('; ')}`;
}

/** As `iptables, n = 5`; without n where the arms of a level have not all as many repeats. */
export function levelHeading({ arms }: Aggregate, rows: readonly LevelRow[], level: string): string {
  const repeats = new Set(
    rows.flatMap((row) => {
      const arm = armAt(arms, row, level);
      return arm?.status === 'complete' ? [arm.trials.length] : [];
    }),
  );
  const [n] = repeats;
  return repeats.size === 1 && n !== undefined ? `${printable(level)}, n = ${n}` : printable(level);
}

/** A metric's median at one level of a scenario; a dash where the arm has none. */
export function medianAt({ arms }: Aggregate, row: LevelRow, level: string, metric: string): string {
  const arm = armAt(arms, row, level);
  return medianText(arm?.status === 'complete' ? metricOf(arm, metric) : undefined);
}
