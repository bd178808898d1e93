import { intervalsOf } from './attempt-intervals.ts';
import type { DelaySummary } from './client.ts';
import { measured, notMeasured, type Measured } from './measured.ts';
import {
  attemptOutcomes,
  type Attempt,
  type AttemptColumns,
  type FailureWindow,
  type NewConnectionAnswers,
  type NewConnectionSummary,
} from './new-connections.ts';
import type { TimelinePoint } from './time.ts';

/** What the judge must know besides the record. */
export interface NewConnectionContext {
  /** Milliseconds after the trigger of a reading of the client's clock. */
  readonly place: (clientNs: bigint) => number;
  /** The trial's pod. */
  readonly pod: string;
  /** When ready=false was observed, in milliseconds after the trigger. */
  readonly notReadyMs: Measured<number>;
}

type Placed = Attempt<number>;

/**
 * The only judge of new connections. Pure.
 *
 * An attempt stands at its start, the moment at which a client would have come: only attempts that started at the
 * trigger or later can show its effects.
 */
export function judgeNewConnections(
  columns: AttemptColumns,
  context: NewConnectionContext,
): Measured<NewConnectionSummary> {
  const { settled, unsettled } = readAttempts(columns, context.place);
  const after = settled.filter(({ started }) => started >= 0);
  const before = settled.slice(0, settled.length - after.length);
  if (after.length < 2) return notMeasured(`${after.length} attempts were made after the trigger`);
  const failed = after.filter(isFailure);
  const ofPod = after.filter((attempt) => isAnswerOf(context.pod, attempt));
  return measured({
    attempts: after.length,
    unsettled,
    before: { attempts: before.length, failed: before.filter(isFailure).length },
    outcomes: countOutcomes(after),
    answeredBy: answersOf(after),
    firstFailure: pointAt(failed[0], settled),
    lastFailure: pointAt(failed.at(-1), settled),
    failureWindow: failureWindow(after, settled),
    failingMs: failingMs(after),
    lastAnswerOfPod: pointAt(ofPod.at(-1), settled),
    podAnswersAfterNotReady: countAfter(ofPod, context.notReadyMs),
    gapMs: gapsOf(after),
    intervals: intervalsOf(settled),
  });
}

export const isFailure = ({ outcome }: Pick<Attempt<unknown>, 'outcome'>): boolean => outcome !== 'answered';

const isAnswerOf = (pod: string, { outcome, detail }: Placed): boolean =>
  outcome === 'answered' && detail?.startsWith(`${pod}/`) === true;

function readAttempts({ startedNs, endedNs, outcome, detail, details }: AttemptColumns, place: (ns: bigint) => number) {
  const settled: Placed[] = [];
  for (const [index, started] of startedNs.entries()) {
    const name = attemptOutcomes[(outcome[index] ?? 0) - 1];
    const ended = endedNs[index];
    if (name === undefined || ended === undefined) continue;
    const about = details[(detail[index] ?? 0) - 1] ?? null;
    settled.push({ started: place(started), ended: place(ended), outcome: name, detail: about });
  }
  return { settled, unsettled: startedNs.length - settled.length };
}

function countOutcomes(attempts: readonly Placed[]): NewConnectionSummary['outcomes'] {
  const counted = attemptOutcomes.map(
    (name) => [name, attempts.filter(({ outcome }) => outcome === name).length] as const,
  );
  return Object.fromEntries(counted.filter(([, count]) => count > 0));
}

function answersOf(attempts: readonly Placed[]): readonly NewConnectionAnswers[] {
  const byIdentity = new Map<string, NewConnectionAnswers>();
  for (const { outcome, detail: identity, started } of attempts) {
    if (outcome !== 'answered' || identity === null) continue;
    const known = byIdentity.get(identity) ?? { identity, count: 0, firstMs: started, lastMs: started };
    byIdentity.set(identity, { ...known, count: known.count + 1, lastMs: started });
  }
  return [...byIdentity.values()];
}

/**
 * What the attempt tells began after the start of the attempt before it, and had begun when this one was settled: what
 * happened to a packet on its way lies between.
 */
function pointAt(attempt: Placed | undefined, settled: readonly Placed[]): TimelinePoint | null {
  if (attempt === undefined) return null;
  const earlier = settled[settled.indexOf(attempt) - 1] ?? attempt;
  const { started, ended } = attempt;
  return {
    tMs: started,
    precision: { kind: 'bounded', earlyMs: started - earlier.started, lateMs: ended - started },
  };
}

function failureWindow(after: readonly Placed[], settled: readonly Placed[]): Measured<FailureWindow> {
  const first = after.find(isFailure);
  const back = after[after.findLastIndex(isFailure) + 1];
  const last = after.at(-1);
  if (first !== undefined && back === undefined) {
    const lastedMs = Math.round((last?.started ?? NaN) - first.started);
    return notMeasured(`attempts still failed when the observation closed, ${lastedMs} ms after the first that did`);
  }
  // none failed: the window is empty, and starts nowhere in particular
  const [from, to] = [pointAt(first ?? after[0], settled), pointAt(first === undefined ? after[0] : back, settled)];
  if (from === null || to === null) return notMeasured('no attempt was made after the trigger');
  return measured({ from, to, ms: to.tMs - from.tMs });
}

/** Each failing stretch lasts to the start of the next answered attempt, the last one to that of the last attempt. */
function failingMs(after: readonly Placed[]): number {
  let sum = 0;
  for (const [index, attempt] of after.entries()) {
    const next = after[index + 1];
    if (next !== undefined && isFailure(attempt)) sum += next.started - attempt.started;
  }
  return sum;
}

/** Ready=false may have been written before it was observed: these attempts surely started after it. */
const countAfter = (ofPod: readonly Placed[], notReadyMs: Measured<number>): Measured<number> =>
  notReadyMs.status === 'measured'
    ? measured(ofPod.filter(({ started }) => started >= notReadyMs.value).length)
    : notReadyMs;

function gapsOf(after: readonly Placed[]): DelaySummary {
  const gaps = after.slice(1).map(({ started }, index) => started - (after[index]?.started ?? NaN));
  const sorted = gaps.toSorted((a, b) => a - b);
  // nearest rank, as the client's histograms have it
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
