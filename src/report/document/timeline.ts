import { endOf, outcomeName } from '../../domain/classify.ts';
import { countCauses } from '../../domain/cause-count.ts';
import { causeWords } from '../../domain/cause-words.ts';
import type { TimelineEvent } from '../../domain/event.ts';
import type { Flow, Protocol } from '../../domain/flow.ts';
import { missingEvidence } from '../../domain/missing-evidence.ts';
import { outcomeWords } from '../../domain/outcome-words.ts';
import { printable } from '../../domain/printable.ts';
import type { Precision } from '../../domain/time.ts';
import type { ClockEvidence, Trial, TrialReport } from '../../domain/trial.ts';
import { dash } from '../format.ts';
import { clip, code, list, longestCell, paragraph, type Block, type Line } from './model.ts';

/** Far more than a trial of one pod has; a report from elsewhere may hold any number. */
const mostEvents = 500;

/** One trial: what happened when, what became of its flows in groups, and how far its times can be trusted. */
export function timelineOf({ trial, unexpected }: TrialReport): readonly Block[] {
  const events = trial.timeline.filter(isShown);
  const withCommits = events.some(({ committed }) => committed !== undefined);
  const withCauses = trial.flows.some(({ cause }) => cause !== null);
  return [
    ...list(unexpected.map((text) => `✗ ${short(text)}`)),
    {
      kind: 'table',
      caption: `${short(trial.id)}: timeline`,
      columns: [
        'ms after the trigger',
        'known',
        'event',
        'seen by',
        'of what',
        ...(withCommits ? ['written, ms', 'written, known', 'written by'] : []),
      ],
      rows: events
        .slice(0, mostEvents)
        .map((event) => [...eventRow(event), ...(withCommits ? commitCells(event) : [])]),
    },
    ...paragraph(
      events.length > mostEvents ? [`${events.length - mostEvents} more events in the trial’s report.`] : [],
    ),
    {
      kind: 'table',
      caption: `${short(trial.id)}: flows`,
      columns: [
        'flows',
        'protocol',
        'outcome',
        ...(withCauses ? ['why'] : []),
        'ended, ms',
        'another pod answered, ms',
        'answered / sent',
        'error',
      ],
      rows: groups(trial.flows).map((group) => groupRow(group, withCauses)),
    },
    ...paragraph([
      [`Pod `, code(short(trial.pod)), `, started ${short(trial.startedAt)}.`],
      clockSentence(trial.clock),
      clientSentence(trial),
      ...unobservable(trial),
      ...notObserved(trial.evidence),
      ...trial.scenario.declares.map(short),
    ]),
  ];
}

/** Ends of flows are in the table of flows. */
const isShown = ({ name }: TimelineEvent): boolean => name !== 'flow-ended' && name !== 'flow-rehomed';

const eventRow = (event: TimelineEvent): readonly Line[] => [
  [ms(event.at.tMs)],
  [known(event.at.precision)],
  [event.name],
  [event.source],
  subject(event),
];

/** When the API server wrote what a watch told of later. */
const commitCells = ({ committed }: TimelineEvent): readonly Line[] =>
  committed === undefined
    ? [[dash], [''], ['']]
    : [[ms(committed.at.tMs)], [known(committed.at.precision)], [code(short(committed.by))]];

function known(precision: Precision): string {
  switch (precision.kind) {
    case 'exact':
      return 'exactly';
    case 'upper-bound':
      return 'no later';
    case 'bounded':
      return `within −${ms(precision.earlyMs)}, +${ms(precision.lateMs)}`;
    default:
      return precision satisfies never;
  }
}

/** The payload, with its own names: a pod first, then the rest. */
function subject({ payload }: TimelineEvent): Line {
  const { pod, ...facts } = { pod: undefined, ...payload };
  const words = Object.entries(facts).map(([name, value]) => `${name} ${value === null ? dash : short(String(value))}`);
  return [...(pod === undefined ? [] : [code(short(pod)), words.length === 0 ? '' : ' ']), words.join(', ')];
}

interface Group {
  readonly protocol: Protocol;
  readonly outcome: string;
  readonly flows: readonly Flow[];
}

/** Flows of one protocol that ended alike. */
function groups(flows: readonly Flow[]): readonly Group[] {
  const found = new Map<string, Flow[]>();
  for (const flow of flows) {
    const key = `${flow.protocol} ${outcomeName(flow.outcome)}`;
    found.set(key, [...(found.get(key) ?? []), flow]);
  }
  return [...found.values()].flatMap((alike) => {
    const [first] = alike;
    return first === undefined
      ? []
      : [{ protocol: first.protocol, outcome: outcomeWords(outcomeName(first.outcome)), flows: alike }];
  });
}

function groupRow({ protocol, outcome, flows }: Group, withCauses: boolean): readonly Line[] {
  const sum = (count: (flow: Flow) => number) => flows.reduce((total, flow) => total + count(flow), 0);
  const errors = new Set(flows.flatMap(({ errorCode }) => errorCode ?? []));
  const reasons = new Set(flows.flatMap((flow) => (flow.outcome.kind === 'not-measured' ? flow.outcome.reason : [])));
  return [
    [`${flows.length}`],
    [protocol.toUpperCase()],
    [outcome],
    ...(withCauses ? [[whyOf(flows)]] : []),
    [span(flows.flatMap((flow) => endOf(flow.outcome)?.tMs ?? []))],
    [span(flows.flatMap(({ rehomed }) => rehomed?.at.tMs ?? []))],
    [`${sum(({ answered }) => answered)} / ${sum(({ sent }) => sent)}`],
    [short([...errors, ...reasons].join(', '))],
  ];
}

/** As far as evidence was collected. */
function whyOf(flows: readonly Flow[]): string {
  const counts = countCauses(flows);
  if (counts.length === 0) return dash;
  return short(
    counts.map((count) => (counts.length === 1 ? causeWords(count) : `${count.flows} ${causeWords(count)}`)).join('; '),
  );
}

/** From the first to the last; a dash where there is none. */
function span(times: readonly number[]): string {
  if (times.length === 0) return dash;
  const sorted = times.toSorted((a, b) => a - b);
  const [first, last] = [ms(sorted.at(0) ?? 0), ms(sorted.at(-1) ?? 0)];
  return first === last ? first : `${first} to ${last}`;
}

function clockSentence(clock: ClockEvidence): string {
  switch (clock.relation) {
    case 'same-kernel':
      return `Probe and client read one clock: boot_id ${short(clock.bootId)}.`;
    case 'bounded':
      return `The probe’s clock is known within ${ms(clock.widthMs)} ms by ${clock.exchanges} exchanges: ${short(clock.reason)}`;
    case 'unrelated':
      return `The probe’s clock is not related to the client’s: ${short(clock.reason)}`;
    default:
      return clock satisfies never;
  }
}

function clientSentence({ client }: Trial): string {
  const { eventLoopDelayMs: delay, sendLatenessMs: lateness, stampDelayMs } = client;
  const sends = lateness.status === 'measured' ? `${ms(lateness.value.max)} ms` : `${dash} (${short(lateness.reason)})`;
  return `The client’s stamps of these ends were late by ${ms(stampDelayMs)} ms at most, its event loop by ${ms(delay.max)} ms (99 %: ${ms(delay.p99)} ms), its sends by ${sends}.`;
}

/** Which observers were wanted and saw nothing; a trial that asked for none has none to miss. */
const notObserved = (evidence: Trial['evidence']): readonly string[] =>
  evidence.status === 'not-measured'
    ? []
    : missingEvidence(evidence.value).map(({ piece, reason }) => `No ${piece} observed: ${short(reason)}`);

const unobservable = (trial: Trial): readonly string[] =>
  Object.entries(trial.unobservable).map(([name, reason]) => `${name} can’t be observed: ${short(reason)}`);

const short = (text: string): string => clip(printable(text), longestCell);

/** Milliseconds with one decimal, and a real minus sign. */
const ms = (value: number): string => value.toFixed(1).replace(/^-/, '−');
