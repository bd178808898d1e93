import { endOf, outcomeName } from '../../domain/classify.ts';
import type { Flow } from '../../domain/flow.ts';
import { groupBy } from '../../domain/group-by.ts';
import { outcomeWords } from '../../domain/outcome-words.ts';
import type { Trial } from '../../domain/trial.ts';
import { plural } from '../format.ts';
import type { StoryLine } from './story.ts';

/** What became of the flows: those that ended alike in one line, at the first of them, and another for being re-homed. */
export const flowLines = ({ flows }: Trial): readonly StoryLine[] => [
  ...[...groupBy(flows, ({ protocol, outcome }) => `${protocol} ${outcomeName(outcome)}`).values()].flatMap(endLine),
  ...[...groupBy(flows, ({ protocol }) => protocol).values()].flatMap(rehomeLine),
];

function endLine(flows: readonly Flow[]): readonly StoryLine[] {
  const [one] = flows;
  const ends = flows.flatMap(({ outcome }) => endOf(outcome) ?? []).toSorted((a, b) => a.tMs - b.tMs);
  const [first] = ends;
  if (one === undefined || first === undefined) return [];
  const name = outcomeName(one.outcome);
  // a re-homed flow has its line where the other pod answers; here it is the last datagram that found the old one
  const words = name === 'severed (rehomed)' ? 'unserved' : outcomeWords(name);
  const what = `${plural(flows.length, `${one.protocol.toUpperCase()} flow`)} ${words}${until(first.tMs, ends.at(-1)?.tMs)}${packetsOf(flows)}`;
  return [{ at: first, what, seenBy: 'the client' }];
}

function rehomeLine(flows: readonly Flow[]): readonly StoryLine[] {
  const moves = flows.flatMap(({ rehomed }) => rehomed ?? []).toSorted((a, b) => a.at.tMs - b.at.tMs);
  const [first] = moves;
  const [one] = flows;
  if (first === undefined || one === undefined) return [];
  const what = `${plural(moves.length, `${one.protocol.toUpperCase()} flow`)} answered by another pod${until(first.at.tMs, moves.at(-1)?.at.tMs)}`;
  // a flow's bounds are those of its end; its first answer by another pod came no later than the client stamped it
  return [{ at: { tMs: first.at.tMs, precision: { kind: 'upper-bound' } }, what, seenBy: 'the client' }];
}

const until = (firstMs: number, lastMs: number | undefined): string =>
  lastMs === undefined || lastMs - firstMs < 0.05 ? '' : `, the last at ${lastMs.toFixed(1)} ms`;

/** How long before the client's stamp the packets crossed the node. */
function packetsOf(flows: readonly Flow[]): string {
  const delays = flows.flatMap(({ detections }) =>
    detections.flatMap(({ packet, packetAt, toldMs }) => (packet === 'answer' ? [] : [toldMs - packetAt.tMs])),
  );
  if (delays.length === 0) return '';
  const [least, most] = [Math.min(...delays).toFixed(1), Math.max(...delays).toFixed(1)];
  return `, ${least === most ? least : `${least} to ${most}`} ms after the packets on the node`;
}
