import { outcomeName } from './classify.ts';
import type { Flow, Protocol } from './flow.ts';
import type { Cause, FlowCause } from './flow-cause.ts';
import { groupBy } from './group-by.ts';

/** How many flows of one trial were cut off alike, for one cause. */
export interface CauseCount {
  readonly protocol: Protocol;
  /** With what severed them, as `severed (rst)`. */
  readonly outcome: string;
  readonly cause: Cause;
  /** Whose doing, as far as it was seen: a packet's sender, or what took the entry (`kernel`, a program's name). */
  readonly by: string | null;
  readonly flows: number;
  /** Of them, those whose observers contradict each other. */
  readonly contradicted: number;
}

/** Flows that were cut off, by cause; none where no evidence was collected. */
export function countCauses(flows: readonly Flow[]): readonly CauseCount[] {
  const caused = flows.flatMap(({ protocol, outcome, cause }) =>
    cause === null ? [] : [{ protocol, outcome: outcomeName(outcome), cause, by: doerOf(cause) }],
  );
  const groups = groupBy(caused, ({ protocol, outcome, cause, by }) => [protocol, outcome, cause.cause, by].join('\n'));
  return [...groups.values()].flatMap((group) => {
    const [one] = group;
    if (one === undefined) return [];
    const contradicted = group.filter(({ cause }) => cause.disagreements.length > 0).length;
    return [{ ...one, cause: one.cause.cause, flows: group.length, contradicted }];
  });
}

function doerOf({ cause, evidence }: FlowCause): string | null {
  if (cause === 'conntrack-cleared-rehomed') {
    const by = evidence.find((seen) => seen.kind === 'entry-destroyed')?.by;
    return by === undefined ? null : by.kind === 'kernel' ? 'kernel' : by.program;
  }
  return evidence.find((seen) => seen.kind === 'packet')?.sender ?? null;
}
