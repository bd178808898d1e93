import { mkdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { z } from 'zod';
import type { Aggregate } from '../domain/aggregate.ts';
import { inputError } from '../domain/errors.ts';
import type { Trial, TrialPurpose, TrialReport } from '../domain/trial.ts';
import { aggregateSchema } from './aggregate-schema.ts';
import { flowsCsv, metricsCsv } from './csv.ts';
import { failureSchema, type FailureRecord, type RunManifest, type TrialFailure } from './manifest.ts';
import { namesIn, numbered, numberedFiles, strayFile } from './numbered-files.ts';
import { parseJson } from './parse.ts';
import { printable } from '../domain/printable.ts';
import { parseAggregate } from './schema.ts';
import { trialReportSchema } from './trial-schema.ts';
import { writeAtomic } from './write-atomic.ts';

const remedy = 'restore the file, or remove it so that it is measured again';

/**
 * A run on disk. A trial is written whole as it ends, or not at all: a kill leaves no half of one. Reading passes over
 * nothing: a file that isn't what it should be is an error that names it. Made by `createRunFolder` and `openRunFolder`.
 */
export class RunFolder {
  readonly path: string;
  readonly manifest: RunManifest;
  readonly #completed: Set<string>;
  readonly #made: readonly string[];

  /** `made`: the folders that were made for it, the outermost first. */
  constructor(path: string, manifest: RunManifest, completed: Iterable<string>, made: readonly string[] = []) {
    this.#made = made;
    this.path = path;
    this.manifest = manifest;
    this.#completed = new Set(completed);
  }

  /** Identifiers of the measured trials that are stored, kept up to date. */
  get completed(): ReadonlySet<string> {
    return this.#completed;
  }

  /** Where the log of every command goes, a JSON object a line. */
  get commandsPath(): string {
    return join(this.path, 'commands.ndjson');
  }

  /** Leaves things as they were before the folder was made: its content goes, and so do the folders made for it. */
  async discard(): Promise<void> {
    for (const name of await namesIn(this.path)) await rm(join(this.path, name), { recursive: true, force: true });
    for (const folder of this.#made.toReversed()) await rmdir(folder);
  }

  /** Stores a measured trial. A stored trial is never overwritten. */
  async writeTrial(report: TrialReport): Promise<void> {
    const { id, arm, repeat } = report.trial;
    if (this.#completed.has(id)) throw new Error(`trial ${id} is stored already`);
    await writeJson(join(this.path, 'trials', fileName(arm.id), `${numbered(repeat)}.json`), trialReportSchema, report);
    this.#completed.add(id);
  }

  /** Stores a warm-up beside those of earlier clusters. */
  async writeWarmUp(report: TrialReport): Promise<void> {
    const folder = join(this.path, 'warm-ups', fileName(report.trial.arm.id));
    const next = ((await numberedFiles(folder)).at(-1)?.number ?? 0) + 1;
    await writeJson(join(folder, `${numbered(next)}.json`), trialReportSchema, report);
  }

  /** Keeps a trial that is not averaged beside the trial's earlier attempts. */
  async writeDisturbed(report: TrialReport): Promise<void> {
    const folder = join(this.path, 'disturbed', fileName(report.trial.arm.id));
    const stem = numbered(report.trial.repeat);
    const attempt = ((await numberedFiles(folder)).findLast((file) => file.stem === stem)?.number ?? 0) + 1;
    await writeJson(join(folder, `${stem}-${attempt}.json`), trialReportSchema, report);
  }

  /** Stores a failed attempt, numbered after the trial's earlier ones. */
  async writeFailure(failure: TrialFailure): Promise<void> {
    const folder = join(this.path, 'failed');
    const stem = fileName(failure.trial);
    const attempt = ((await numberedFiles(folder)).findLast((file) => file.stem === stem)?.number ?? 0) + 1;
    const record: FailureRecord = { ...failure, attempt, at: new Date().toISOString() };
    await writeJson(join(folder, `${stem}-${attempt}.json`), failureSchema, record);
  }

  /** Takes over a failure of another folder, with its attempt and time. */
  async copyFailure(record: FailureRecord): Promise<void> {
    const path = join(this.path, 'failed', `${fileName(record.trial)}-${record.attempt}.json`);
    await writeJson(path, failureSchema, record);
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

  async writeTable(text: string): Promise<void> {
    await writeAtomic(join(this.path, 'table.txt'), text);
  }

  /** `trials.csv`, a row a trial and metric; `flows.csv`, a row a flow. Measured trials only. */
  async writeCsv(): Promise<void> {
    const metrics = [metricsCsv.header()];
    const flows = [flowsCsv.header()];
    for await (const report of this.readTrials()) {
      metrics.push(metricsCsv.rows(report));
      flows.push(flowsCsv.rows(report));
    }
    await writeAtomic(join(this.path, 'trials.csv'), metrics.join(''));
    await writeAtomic(join(this.path, 'flows.csv'), flows.join(''));
  }
}

/** Checked before it is written: a NaN would else become a null that only a later read complains of. */
export async function writeJson<T>(path: string, schema: z.ZodType<T>, value: T): Promise<void> {
  const text = `${JSON.stringify(schema.parse(value), null, 2)}\n`;
  await mkdir(dirname(path), { recursive: true });
  await writeAtomic(path, text);
}

async function* readReports(folder: string, purpose: TrialPurpose): AsyncGenerator<TrialReport, void, undefined> {
  for (const arm of await namesIn(folder)) {
    for (const { path, stem, number } of await numberedFiles(join(folder, arm))) {
      if (stem !== '') throw strayFile(path);
      const report = parseJson(trialReportSchema, await readFile(path, 'utf8'), { path, remedy });
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

/** A name that stays in its folder, whatever it was made from. */
function fileName(name: string): string {
  if (/^[0-9A-Za-z](?:[0-9A-Za-z._-]*[0-9A-Za-z])?$/.test(name)) return name;
  throw new Error(`"${name}" names no file: letters, digits, dots, hyphens and underscores only`);
}
