import { stringify } from 'csv-stringify/sync';
import { endOf } from '../domain/classify.ts';
import type { Flow } from '../domain/flow.ts';
import type { TimelinePoint } from '../domain/time.ts';
import type { Trial, TrialReport } from '../domain/trial.ts';
import { metrics } from '../metrics/index.ts';
import { causeCells, causeColumns } from './cause-csv.ts';
import { newConnectionCells, newConnectionColumns } from './new-connections-csv.ts';
import { printable } from '../domain/printable.ts';

/** A cell. Null is an empty one: what was not measured is never 0. */
type Cell = string | number | boolean | null;

/** A table that is made a report at a time. */
export interface CsvTable {
  header(): string;
  rows(report: TrialReport): string;
}

const trialColumns = [
  'trial',
  'arm',
  'scenario',
  'proxyMode',
  'kubernetesVersion',
  'repeat',
  'firstOnCluster',
  'startedAt',
];

const trialCells = ({ id, arm, repeat, firstOnCluster, startedAt }: Trial): readonly Cell[] => [
  id,
  arm.id,
  arm.scenario,
  arm.proxyMode,
  arm.kubernetesVersion,
  repeat,
  firstOnCluster,
  startedAt,
];

const units: ReadonlyMap<string, string> = new Map([...metrics].map(({ name, unit }) => [name, unit]));

/** Long form: a row a trial and metric, with the value and its precision, or the reason why there is none. */
export const metricsCsv = csvTable(
  [...trialColumns, 'metric', 'unit', 'value', 'precision', 'notMeasuredBecause'],
  ({ trial, metrics: samples }) =>
    Object.entries(samples).map(([metric, sample]) => [
      ...trialCells(trial),
      metric,
      units.get(metric) ?? null,
      ...(sample.status === 'measured'
        ? [sample.value.value, sample.value.precision, null]
        : [null, null, sample.reason]),
    ]),
);

/** A row a flow. Times in milliseconds after the trigger. */
export const flowsCsv = csvTable(
  [
    ...trialColumns,
    'flow',
    'protocol',
    'openedTo',
    'outcome',
    'severedBy',
    'endedMs',
    'endedPrecision',
    'rehomedTo',
    'rehomedMs',
    'rehomedPrecision',
    'sent',
    'answered',
    'lastSequence',
    'errorCode',
    'notMeasuredBecause',
    ...causeColumns,
  ],
  ({ trial }) => trial.flows.map((flow) => [...trialCells(trial), ...flowCells(flow)]),
);

/** A row a path and protocol on which new connections were dialled. */
export const newConnectionsCsv = csvTable([...trialColumns, ...newConnectionColumns], ({ trial }) =>
  trial.newConnections.status === 'measured'
    ? trial.newConnections.value.map((series) => [...trialCells(trial), ...newConnectionCells(series)])
    : [],
);

function flowCells({ outcome, rehomed, ...flow }: Flow): readonly Cell[] {
  return [
    flow.id,
    flow.protocol,
    flow.openedTo,
    outcome.kind,
    outcome.kind === 'severed' ? outcome.by : null,
    ...timeCells(endOf(outcome)),
    rehomed?.to ?? null,
    ...timeCells(rehomed?.at),
    flow.sent,
    flow.answered,
    flow.lastSequence,
    flow.errorCode,
    outcome.kind === 'not-measured' ? outcome.reason : null,
    ...causeCells(flow),
  ];
}

const timeCells = (at: TimelinePoint | undefined): readonly Cell[] =>
  at === undefined ? [null, null] : [at.tMs, at.precision.kind];

function csvTable(columns: readonly string[], cells: (report: TrialReport) => readonly (readonly Cell[])[]): CsvTable {
  return {
    header: () => toCsv([columns]),
    rows: (report) => toCsv(cells(report)),
  };
}

/** RFC 4180 with line feeds. A text that a spreadsheet would run as a formula gets an apostrophe; a number never does. */
const toCsv = (rows: readonly (readonly Cell[])[]): string =>
  stringify(
    rows.map((row) => [...row]),
    { escape_formulas: true, cast: { boolean: String, string: printable } },
  );
