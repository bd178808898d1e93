import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TrialReport } from '../domain/trial.ts';
import { failureSchema, type FailureRecord, type RunManifest, type TrialFailure } from './manifest.ts';
import { namesIn, numbered, numberedFiles } from './numbered-files.ts';
import { writeReport } from './report-file.ts';
import { StoredRun } from './stored-run.ts';
import { writeJson } from './write-json.ts';

/**
 * A run that trials are added to. A trial is written whole as it ends, or not at all: a kill leaves no half of one. Made
 * by `createRunFolder` and `openRunFolder`.
 */
export class RunFolder extends StoredRun {
  readonly #completed: Set<string>;
  readonly #made: readonly string[];

  /** `made`: the folders that were made for it, the outermost first. */
  constructor(path: string, manifest: RunManifest, completed: Iterable<string>, made: readonly string[] = []) {
    super(path, manifest);
    this.#made = made;
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
    await writeReport(join(this.path, 'trials', fileName(arm.id)), numbered(repeat), report);
    this.#completed.add(id);
  }

  /** Stores a warm-up beside those of earlier clusters. */
  async writeWarmUp(report: TrialReport): Promise<void> {
    const folder = join(this.path, 'warm-ups', fileName(report.trial.arm.id));
    const next = ((await numberedFiles(folder)).at(-1)?.number ?? 0) + 1;
    await writeReport(folder, numbered(next), report);
  }

  /** Keeps a trial that is not averaged beside the trial's earlier attempts. */
  async writeDisturbed(report: TrialReport): Promise<void> {
    const folder = join(this.path, 'disturbed', fileName(report.trial.arm.id));
    const stem = numbered(report.trial.repeat);
    const attempt = ((await numberedFiles(folder)).findLast((file) => file.stem === stem)?.number ?? 0) + 1;
    await writeReport(folder, `${stem}-${attempt}`, report);
  }

  /** Stores a failed attempt, numbered after the trial's earlier ones. */
  async writeFailure(failure: TrialFailure): Promise<void> {
    const folder = join(this.path, 'failed');
    const stem = fileName(failure.trial);
    const attempt = ((await numberedFiles(folder)).findLast((file) => file.stem === stem)?.number ?? 0) + 1;
    const record: FailureRecord = { ...failure, attempt, at: new Date().toISOString() };
    await writeJson(join(folder, `${stem}-${attempt}.json`), failureSchema, record);
  }

  /** A new name below `evidence/`, after the trial; numbered when it had other attempts. Nothing is made there. */
  async captureFolder({ trial }: TrialReport): Promise<string> {
    const folder = join(this.path, 'evidence', fileName(trial.arm.id));
    const stem = trial.purpose === 'warm-up' ? 'warm-up' : numbered(trial.repeat);
    const taken = new Set(await namesIn(folder));
    let name = stem;
    for (let attempt = 2; taken.has(name); attempt++) name = `${stem}-${attempt}`;
    return join(folder, name);
  }

  /** Takes over a failure of another folder, with its attempt and time. */
  async copyFailure(record: FailureRecord): Promise<void> {
    const path = join(this.path, 'failed', `${fileName(record.trial)}-${record.attempt}.json`);
    await writeJson(path, failureSchema, record);
  }
}

/** A name that stays in its folder, whatever it was made from. */
function fileName(name: string): string {
  if (/^[0-9A-Za-z](?:[0-9A-Za-z._-]*[0-9A-Za-z])?$/.test(name)) return name;
  throw new Error(`"${name}" names no file: letters, digits, dots, hyphens and underscores only`);
}
