import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AsyncDisposableStack } from '@whatwg-node/disposablestack';
import type { Aggregate } from '../domain/aggregate.ts';
import { inputError } from '../domain/errors.ts';
import { notMeasured } from '../domain/measured.ts';
import { isAskedFor } from '../domain/optional-observation.ts';
import { printable } from '../domain/printable.ts';
import type { Trial, TrialPurpose, TrialReport } from '../domain/trial.ts';
import { aggregateSchema, wallSecondsSchema } from './aggregate-schema.ts';
import { flowsCsv, metricsCsv, newConnectionsCsv, type CsvTable } from './csv.ts';
import { failureSchema, type FailureRecord, type RunManifest } from './manifest.ts';
import { namesIn, numberedFiles, strayFile } from './numbered-files.ts';
import { parseJson } from './parse.ts';
import { readJsonMember } from './read-json-member.ts';
import { readReport } from './report-file.ts';
import { parseAggregate } from './schema.ts';
import { AtomicFile, writeAtomic } from './write-atomic.ts';
import { writeJson } from './write-json.ts';

/**
 * A run on disk, as far as it goes: its trials are read, and what is derived from them is written. Reading passes over
 * nothing: a file that isn't what it should be is an error that names it. Made by `openStoredRun`.
 */
export class StoredRun {
  readonly path: string;
  readonly manifest: RunManifest;

  constructor(path: string, manifest: RunManifest) {
    this.path = path;
    this.manifest = manifest;
  }

  /** Measured trials, an arm after the other, one in memory at a time. */
  readTrials(): AsyncGenerator<TrialReport, void, undefined> {
    return readReports(join(this.path, 'trials'), 'measured');
  }

  readWarmUps(): AsyncGenerator<TrialReport, void, undefined> {
    return readReports(join(this.path, 'warm-ups'), 'warm-up');
  }

  /** Failed attempts, the earliest first. */
  async readFailures(): Promise<readonly FailureRecord[]> {
    const records: FailureRecord[] = [];
    for (const { path } of await numberedFiles(join(this.path, 'failed'))) {
      const remedy = 'restore the file, or remove it so that it is measured again';
      records.push(parseJson(failureSchema, await readFile(path, 'utf8'), { path, remedy }));
    }
    return records.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  }

  async writeAggregate(aggregate: Aggregate): Promise<void> {
    await writeJson(join(this.path, 'aggregate.json'), aggregateSchema, aggregate);
  }

  /** @throws {ActionableError} of kind `input` when there is none, or it is broken. */
  async readAggregate(): Promise<Aggregate> {
    const path = join(this.path, 'aggregate.json');
    if (!(await namesIn(this.path)).includes('aggregate.json')) {
      throw inputError({
        expected: 'a run that was aggregated',
        found: `${path} does not exist`,
        remedy: `sum up what there is with: aggregate ${this.path}`,
      });
    }
    return parseAggregate(await readFile(path, 'utf8'), path);
  }

  /** How long the run took, as far as its aggregate was written: only the run itself knew. */
  async readWallSeconds(): Promise<Aggregate['wallSeconds']> {
    try {
      return wallSecondsSchema.parse(await readJsonMember(join(this.path, 'aggregate.json'), 'wallSeconds'));
    } catch {
      return notMeasured('the run was interrupted');
    }
  }

  async writeTable(text: string): Promise<void> {
    await writeAtomic(join(this.path, 'table.txt'), text);
  }

  /**
   * `trials.csv`, a row a trial and metric; `flows.csv`, a row a flow; where new connections were dialled,
   * `new-connections.csv`, a row a path and protocol. Rows are written as the reports come, so that
   * `reports` may be a reading of all trials that is used for something else as well.
   */
  async writeCsv(reports: AsyncIterable<TrialReport>): Promise<void> {
    const tables = [
      { name: 'trials.csv', table: metricsCsv },
      { name: 'flows.csv', table: flowsCsv },
      ...(isAskedFor('new-connections', this.manifest.matrix)
        ? [{ name: 'new-connections.csv', table: newConnectionsCsv }]
        : []),
    ];
    await using open = new AsyncDisposableStack();
    const files: { readonly file: AtomicFile; readonly table: CsvTable }[] = [];
    for (const { name, table } of tables) {
      const file = open.use(await AtomicFile.create(join(this.path, name)));
      await file.append(table.header());
      files.push({ file, table });
    }
    for await (const report of reports) {
      for (const { file, table } of files) await file.append(table.rows(report));
    }
    for (const { file } of files) await file.commit();
  }
}

async function* readReports(folder: string, purpose: TrialPurpose): AsyncGenerator<TrialReport, void, undefined> {
  for (const arm of await namesIn(folder)) {
    for (const { path, stem, number } of await numberedFiles(join(folder, arm))) {
      if (stem !== '') throw strayFile(path);
      const report = await readReport(path);
      requirePlace(report.trial, { path, arm, purpose, ...(purpose === 'measured' && { repeat: number }) });
      yield report;
    }
  }
}

/** A report in the wrong place would be averaged into an arm that it is no part of. */
function requirePlace(
  trial: Trial,
  place: { path: string; arm: string; purpose: TrialPurpose; repeat?: number },
): void {
  const name = (purpose: TrialPurpose, repeat: number, arm: string) => `${purpose} trial ${repeat} of arm ${arm}`;
  const expected = name(place.purpose, place.repeat ?? trial.repeat, place.arm);
  const found = name(trial.purpose, trial.repeat, trial.arm.id);
  if (found === expected) return;
  throw inputError({ expected, found: `${place.path} holds ${printable(found)}`, remedy: 'put it back in its place' });
}
