import { endOf, outcomeName } from '../../domain/classify.ts';
import type { TimelineEvent } from '../../domain/event.ts';
import type { Flow, Protocol } from '../../domain/flow.ts';
import { nbsp, withMinus } from '../../domain/format-ms.ts';
import { outcomeWords } from '../../domain/outcome-words.ts';
import type { TimelinePoint } from '../../domain/time.ts';
import type { Trial } from '../../domain/trial.ts';
import type { Role } from '../palette.ts';
import { attemptRows, type AttemptRow } from './attempt-lane.ts';
import { eventWords } from './event-words.ts';
import { nodeLane } from './node-lane.ts';

/** Something that happened once, or to several flows: the first of them is `at`. */
export interface Moment {
  readonly at: TimelinePoint;
  /** When the last of a group met it, or the latest that a single event can have been, in ms after the trigger. */
  readonly untilMs: number;
  readonly what: string;
  readonly when: string;
}

/** A part of the picture: flows with their ends, or what one source told, a row an event. */
export interface Lane {
  readonly name: string;
  readonly role: Role;
  readonly flows: readonly Flow[];
  /** New connections; in the lane of these alone. */
  readonly attempts?: readonly AttemptRow[];
  /** In the order of time. */
  readonly moments: readonly Moment[];
}

/** Lanes with something in them, from the client's side to the pod's. */
export function lanesOf(trial: Trial): readonly Lane[] {
  const lanes: readonly Lane[] = [
    flowLane(trial, 'tcp'),
    flowLane(trial, 'udp'),
    attemptLane(trial),
    nodeLane(trial),
    eventLane(trial, 'cluster'),
    eventLane(trial, 'probe'),
  ];
  return lanes.filter(({ flows, attempts = [], moments }) => flows.length + attempts.length + moments.length > 0);
}

function flowLane({ flows }: Trial, protocol: Protocol): Lane {
  const own = flows.filter((flow) => flow.protocol === protocol);
  const ends = groups(own, (flow) => {
    const at = endOf(flow.outcome);
    return at === undefined ? undefined : { at, what: outcomeWords(outcomeName(flow.outcome)) };
  });
  const rehomed = groups(own, (flow) =>
    flow.rehomed === null || isRehomedAtEnd(flow) ? undefined : { at: flow.rehomed.at, what: 'then re-homed' },
  );
  const name = `${own.length} ${protocol.toUpperCase()} flow${own.length === 1 ? '' : 's'}`;
  return { name, role: protocol, flows: own, moments: [...ends, ...rehomed] };
}

/** The host's client is the flows' own; each path and protocol is a row. */
function attemptLane(trial: Trial): Lane {
  const attempts = attemptRows(trial);
  const moments = attempts.flatMap(({ name, failing }): readonly Moment[] => {
    if (failing === null) return [];
    const { at, untilMs, isOpen } = failing;
    const when = isOpen ? `from ${timeText(at.tMs)} on` : timeRange(at.tMs, untilMs);
    return [{ at, untilMs, what: `${name} fails`, when }];
  });
  return { name: 'new connections', role: 'tcp', flows: [], attempts, moments };
}

/** The other pod's answer was what ended the flow, so it has one time for both. */
const isRehomedAtEnd = ({ outcome }: Flow): boolean => outcome.kind === 'severed' && outcome.by === 'rehomed';

/** Flows to which the same happened, as one moment at the first. */
function groups(
  flows: readonly Flow[],
  read: (flow: Flow) => { readonly at: TimelinePoint; readonly what: string } | undefined,
): readonly Moment[] {
  const found = new Map<string, TimelinePoint[]>();
  for (const { at, what } of flows.flatMap((flow) => read(flow) ?? []))
    found.set(what, [...(found.get(what) ?? []), at]);
  return [...found]
    .flatMap(([what, points]) => {
      const [first, ...rest] = points.toSorted((a, b) => a.tMs - b.tMs);
      if (first === undefined) return [];
      const untilMs = (rest.at(-1) ?? first).tMs;
      return [{ at: first, untilMs, what: `${points.length} ${what}`, when: timeRange(first.tMs, untilMs) }];
    })
    .toSorted((a, b) => a.at.tMs - b.at.tMs);
}

function eventLane({ timeline, pod }: Trial, role: 'cluster' | 'probe'): Lane {
  const seen = new Set<string>();
  const moments = timeline.flatMap((event) => {
    const words = laneOf(event) === role && mayFollowTrigger(event.at) ? eventWords(event, pod) : undefined;
    // what came again tells nothing that its first time did not
    if (words === undefined || seen.has(words)) return [];
    seen.add(words);
    return [{ at: event.at, untilMs: latest(event.at), what: words, when: timeText(event.at.tMs) }];
  });
  const byTime = moments.toSorted((a, b) => a.at.tMs - b.at.tMs);
  // a provider without a cluster runs a plain process on this machine
  const names = timeline.some(({ source }) => source === 'kubernetes')
    ? { cluster: 'cluster', probe: 'pod' }
    : { cluster: 'host', probe: 'process' };
  return { name: names[role], role, flows: [], moments: byTime };
}

/** What the process did and met is the pod's, whoever saw it. */
function laneOf({ name, source }: TimelineEvent): 'cluster' | 'probe' | undefined {
  if (source === 'probe' || name === 'sigkill-sent' || name === 'process-exited') return 'probe';
  return source === 'kubernetes' || name === 'trigger-accepted' ? 'cluster' : undefined;
}

const mayFollowTrigger = (at: TimelinePoint): boolean => latest(at) >= 0;

const latest = ({ tMs, precision }: TimelinePoint): number =>
  tMs + (precision.kind === 'bounded' ? precision.lateMs : 0);

/** To a tenth below 10 ms, where one machine's events lie; to the millisecond in seconds from 1 s on. */
export function timeText(tMs: number): string {
  if (Math.abs(tMs) >= 999.5) return `${withMinus(tMs / 1000, 3)}${nbsp}s`;
  return `${withMinus(tMs, Math.abs(tMs) < 9.95 ? 1 : 0)}${nbsp}ms`;
}

function timeRange(first: number, last: number): string {
  const [from, to] = [timeText(first), timeText(last)];
  if (from === to) return from;
  const [number, unit] = from.split(nbsp);
  return unit === to.split(nbsp)[1] ? `${number ?? ''}–${to}` : `${from} – ${to}`;
}
