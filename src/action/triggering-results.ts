import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { mergeRuns } from '../assembly/merge-runs.ts';
import type { Session } from '../assembly/session.ts';
import type { Aggregate } from '../domain/aggregate.ts';
import { describeError, inputError } from '../domain/errors.ts';
import { printable } from '../domain/printable.ts';
import type { GitHub } from '../github/github.ts';
import { checkTriggeringRun, type TriggeringRun } from '../github/triggering-run.ts';
import type { RunFolder } from '../report/run-folder.ts';
import type { ReportSource } from './report-inputs.ts';
import type { RunnerContext } from './runner-context.ts';
import type { Target } from './target.ts';

export interface TriggeringRequest {
  readonly source: Extract<ReportSource, { kind: 'triggering-run' }>;
  /** Undefined: all of drainwatch's artifacts, as parts of one result. */
  readonly artifactName: string | undefined;
  readonly runner: RunnerContext;
  readonly github: GitHub;
  readonly session: Session;
}

export type TriggeringResults =
  | {
      readonly status: 'found';
      readonly aggregate: Aggregate;
      readonly folder: RunFolder;
      readonly target: Target;
      readonly run: TriggeringRun;
    }
  /** Nothing to report, or nothing that may be: no fault of this workflow, which ends green. */
  | { readonly status: 'none'; readonly reason: string };

const none = (reason: string): TriggeringResults => ({ status: 'none', reason });

/** More jobs than a matrix of this tool has in one workflow. */
const mostArtifacts = 64;
const artifactLimits = { entries: 5000, bytes: 128 * 1024 * 1024, archiveBytes: 64 * 1024 * 1024 };

/**
 * The results of the run that triggered this one, which a stranger's code may have written: the run is checked, the
 * pull request comes from the API, files are unpacked as hostile and read by their schema, and everything that is shown
 * is computed here from the trials.
 *
 * @throws {ActionableError} of kind `input` when this is no `workflow_run`; the signal's reason when it is aborted
 */
export async function triggeringResults(request: TriggeringRequest, signal: AbortSignal): Promise<TriggeringResults> {
  const { source, runner, github } = request;
  const { event } = runner;
  if (event.kind !== 'workflow-run') {
    throw inputError({
      expected: 'a workflow that `workflow_run` triggers, or input `folder`',
      found: `event ${event.kind}`,
      remedy: 'see docs/forks.md',
    });
  }
  const { run } = event;
  const trust = checkTriggeringRun(run, {
    repository: runner.repository,
    workflowPath: source.workflow,
    events: source.events,
  });
  if (trust.status === 'refused') return none(trust.reason);
  const pull = await github.findPullRequest(run, signal);
  if (pull.status !== 'found') return none(pull.reason);
  const downloaded = await download(request, run, signal);
  if (downloaded.status === 'none') return downloaded;
  try {
    const output = join(downloaded.folder, 'result');
    const merged = await mergeRuns({ folders: downloaded.folders, output }, request.session);
    const target = { headSha: run.headSha, pullRequest: pull.pullRequest, isFork: event.isFork };
    return { status: 'found', ...merged, target, run };
  } catch (error) {
    signal.throwIfAborted();
    return none(`the artifact is not reported: ${printable(describeError(error)).slice(0, 500)}`);
  }
}

type Downloaded =
  | { readonly status: 'downloaded'; readonly folder: string; readonly folders: readonly string[] }
  | { readonly status: 'none'; readonly reason: string };

async function download(
  { artifactName, runner, github }: TriggeringRequest,
  run: TriggeringRun,
  signal: AbortSignal,
): Promise<Downloaded> {
  const listed = await github.artifactNames(run.id, signal);
  if (listed.status !== 'ok') return { status: 'none', reason: listed.reason };
  const names = listed.value.filter((name) => artifactName === undefined || stemOf(name) === artifactName);
  if (names.length === 0) return { status: 'none', reason: `run ${run.id} has no artifact of drainwatch` };
  if (names.length > mostArtifacts) return { status: 'none', reason: `run ${run.id} has ${names.length} artifacts` };
  const folder = await mkdtemp(join(runner.temporaryFolder, 'drainwatch-report-'));
  const folders: string[] = [];
  for (const [index, name] of names.entries()) {
    // a folder's name is ours: an artifact's is not
    const request = { runId: run.id, name, folder: join(folder, `part-${index + 1}`), limits: artifactLimits };
    const result = await github.downloadArtifact(request, signal);
    if (result.status !== 'downloaded') return { status: 'none', reason: result.reason };
    folders.push(result.folder);
  }
  return { status: 'downloaded', folder, folders };
}

/** The name as a job was given it. */
const stemOf = (name: string): string => name.replace(/-attempt-\d+(?:-\d+)?$/, '');
