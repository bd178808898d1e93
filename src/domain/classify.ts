import type { Answer, Flow, FlowEnd, FlowOutcome, FlowRecord, Severance } from './flow.ts';
import type { Precision, TimelinePoint } from './time.ts';

/** What the judge must know besides the record. Times in milliseconds after the trigger. */
export interface JudgeContext {
  /** Places a monotonic reading of the client's clock. */
  readonly place: (clientNs: bigint) => number;
  /** How late that stamp of the client can be: its event loop's greatest delay around it. */
  readonly stampDelayMs: (clientNs: bigint) => number;
}

/**
 * The only judge of a flow: facts in, outcome out.
 *
 * A flow ends by the first of: an end that the socket told (FIN, error), silence, or an answer of another pod in place
 * of the one that it was opened to. A FIN is a drained close only if the workload announced it before. A UDP flow has
 * no close: whatever tells of its end, it ended when the first datagram left that its pod left unanswered for good.
 */
export function judgeFlow(record: FlowRecord, context: JudgeContext): Flow {
  const { foreignAnswer } = record;
  return {
    id: record.id,
    protocol: record.protocol,
    openedTo: record.firstAnswer?.pod ?? null,
    outcome: judgeOutcome(record, context),
    rehomed:
      foreignAnswer === null
        ? null
        : { to: foreignAnswer.pod, at: endedBetween(record, foreignAnswer.receivedNs, context) },
    sent: record.sent,
    answered: record.answered,
    lastSequence: record.lastAnswer?.sequence ?? null,
    errorCode: record.dialError ?? (record.end?.kind === 'error' ? record.end.code : null),
    cause: null,
    detections: [],
  };
}

function judgeOutcome(record: FlowRecord, context: JudgeContext): FlowOutcome {
  const { end, foreignAnswer } = record;
  if (record.dialError !== null)
    return { kind: 'not-measured', reason: `the flow was never opened: ${record.dialError}` };
  if (record.firstAnswer === null) return { kind: 'not-measured', reason: 'no answer was ever received on the flow' };
  if (foreignAnswer !== null && (end === null || foreignAnswer.receivedNs < end.atNs)) {
    return { kind: 'severed', by: 'rehomed', at: serviceEnd(record, foreignAnswer.receivedNs, context) };
  }
  if (end === null) return { kind: 'survived-observation-window' };
  return judgeEnd(end, record, context);
}

function judgeEnd(end: FlowEnd, record: FlowRecord, context: JudgeContext): FlowOutcome {
  switch (end.kind) {
    case 'fin': {
      const at = stamped(end.atNs, context);
      if (record.announcedNs !== null && record.announcedNs <= end.atNs) return { kind: 'drained-clean-close', at };
      return { kind: 'severed', by: 'unannounced-fin', at };
    }
    case 'error':
      return { kind: 'severed', by: severanceOf(end), at: endOfError(end.atNs, record, context) };
    case 'no-answer': {
      const at = serviceEnd(record, end.atNs, context);
      // a datagram that nobody answers is all that a dead UDP flow shows; a TCP stream's kernel would tell, in time
      return record.protocol === 'udp' ? { kind: 'severed', by: 'silence', at } : { kind: 'read-timeout', at };
    }
    default:
      return end satisfies never;
  }
}

/** ICMP errors reach a socket as these (icmp(7), ip(7)); a refused datagram means port unreachable. */
const icmpCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EACCES',
]);

function severanceOf({ code }: Extract<FlowEnd, { kind: 'error' }>): Severance {
  if (code === 'ECONNRESET') return 'rst';
  return icmpCodes.has(code) ? 'icmp-unreachable' : 'write-error';
}

const endOfError = (atNs: bigint, record: FlowRecord, context: JudgeContext): TimelinePoint =>
  record.protocol === 'udp' ? serviceEnd(record, atNs, context) : stamped(atNs, context);

/**
 * The pod's service of the flow ended between the sending of the last answered message and the arrival of the first
 * unanswered one. What tells of it may come much later: an ICMP error is rate-limited, a replacement has to start.
 *
 * The end is placed at the sending of the latter. How long that message was on its way is not known: as long as the last
 * answered one and its answer together, at most, if the path was still the same.
 */
function serviceEnd(record: FlowRecord, toldNs: bigint, context: JudgeContext): TimelinePoint {
  const unservedNs = record.unservedSinceNs ?? (record.end?.kind === 'no-answer' ? record.end.sinceNs : null);
  const served = lastServed(record);
  if (served === null || unservedNs === null || unservedNs >= toldNs) return endedBetween(record, toldNs, context);
  const { place } = context;
  const tMs = place(unservedNs);
  const roundTripMs = place(served.receivedNs) - place(served.sentNs);
  return {
    tMs,
    precision: {
      kind: 'bounded',
      earlyMs: tMs - place(served.sentNs),
      lateMs: Math.min(roundTripMs, place(toldNs) - tMs),
    },
  };
}

const lastServed = ({ lastAnswer, firstAnswer }: FlowRecord): Answer | null => lastAnswer ?? firstAnswer;

const stamped = (atNs: bigint, { place, stampDelayMs }: JudgeContext): TimelinePoint => ({
  tMs: place(atNs),
  precision: { kind: 'bounded', earlyMs: stampDelayMs(atNs), lateMs: 0 },
});

/** The workload surely served the flow when the last answered message left the client. */
function endedBetween(record: FlowRecord, seenNs: bigint, { place, stampDelayMs }: JudgeContext): TimelinePoint {
  const tMs = place(seenNs);
  const served = lastServed(record);
  const precision: Precision =
    served === null
      ? { kind: 'upper-bound' }
      : { kind: 'bounded', earlyMs: Math.max(tMs - place(served.sentNs), stampDelayMs(seenNs)), lateMs: 0 };
  return { tMs, precision };
}

/** When the flow ended; undefined for one that did not, or was never measured. */
export function endOf(outcome: FlowOutcome): TimelinePoint | undefined {
  switch (outcome.kind) {
    case 'drained-clean-close':
    case 'severed':
    case 'read-timeout':
      return outcome.at;
    case 'survived-observation-window':
    case 'not-measured':
      return undefined;
    default:
      return outcome satisfies never;
  }
}

/** A short name, as `severed (rst)`; the outcomes of flows that ended alike have the same. */
export const outcomeName = (outcome: FlowOutcome): string =>
  outcome.kind === 'severed' ? `severed (${outcome.by})` : outcome.kind;
