// Trials of a run folder as they were recorded, read without any code of the product.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Every measured trial: its arm, flows, exit code and metrics. From `trials/` where that was kept, else from the CSV files,
 * which have no exit code and no events.
 */
export function readRawTrials(folder) {
  const trials = existsSync(join(folder, 'trials')) ? fromReports(join(folder, 'trials')) : fromCsv(folder);
  return trials.sort((a, b) => a.repeat - b.repeat);
}

const fromReports = (folder) =>
  readdirSync(folder).flatMap((arm) =>
    readdirSync(join(folder, arm))
      .filter((name) => /^\d+\.json$/.test(name))
      .map((name) => fromReport(join(folder, arm, name))),
  );

function fromReport(path) {
  const { trial, metrics, environment } = JSON.parse(readFileSync(path, 'utf8'));
  const flows = Array.isArray(trial.flows) ? trial.flows : linesOf(join(dirname(path), trial.flows.file));
  return {
    id: trial.id,
    arm: trial.arm.id,
    repeat: trial.repeat,
    flows: flows.map(({ protocol, outcome, rehomed, cause }) => ({
      protocol,
      kind: outcome.kind,
      by: outcome.by ?? null,
      endedMs: outcome.at?.tMs ?? null,
      rehomedMs: rehomed?.at.tMs ?? null,
      cause: cause?.cause ?? null,
    })),
    exitCode: trial.container.status === 'measured' ? trial.container.value.exitCode : null,
    metrics: new Map(
      Object.entries(metrics).flatMap(([name, sample]) =>
        sample.status === 'measured' ? [[name, sample.value.value]] : [],
      ),
    ),
    // times of emulated nodes are in no statistic
    events:
      environment.emulated === true
        ? []
        : trial.timeline.filter(({ payload }) => payload.pod === undefined || payload.pod === trial.pod),
    others: trial.timeline.filter(({ payload }) => payload.pod !== undefined && payload.pod !== trial.pod),
  };
}

const linesOf = (path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

function fromCsv(folder) {
  const trials = new Map();
  for (const row of csvRows(join(folder, 'trials.csv'))) {
    const known = trials.get(row.trial) ?? {
      id: row.trial,
      arm: row.arm,
      repeat: Number(row.repeat),
      flows: [],
      exitCode: undefined,
      metrics: new Map(),
      events: [],
      others: [],
    };
    trials.set(row.trial, known);
    if (row.value !== '') known.metrics.set(row.metric, Number(row.value));
  }
  const number = (text) => (text === '' ? null : Number(text));
  for (const row of existsSync(join(folder, 'flows.csv')) ? csvRows(join(folder, 'flows.csv')) : []) {
    trials.get(row.trial)?.flows.push({
      protocol: row.protocol,
      kind: row.outcome,
      by: row.severedBy === '' ? null : row.severedBy,
      endedMs: number(row.endedMs),
      rehomedMs: number(row.rehomedMs),
      cause: row.cause === undefined || row.cause === '' ? null : row.cause,
    });
  }
  return [...trials.values()];
}

/** RFC 4180; an apostrophe before a formula is taken away. */
function csvRows(path) {
  const rows = [[]];
  const text = readFileSync(path, 'utf8');
  const cell = /(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/gy;
  for (let match = cell.exec(text); match !== null && cell.lastIndex <= text.length; match = cell.exec(text)) {
    rows.at(-1).push(match[1]?.replaceAll('""', '"') ?? match[2]);
    if (match[3] === '\n') rows.push([]);
    if (match[3] === '') break;
  }
  const [header, ...bodies] = rows.filter((row) => row.length > 1);
  return bodies.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])));
}
