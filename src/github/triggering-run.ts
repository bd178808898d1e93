import { quoted } from './api-result.ts';

export interface RepositoryName {
  readonly id: number;
  /** `owner/name`. */
  readonly fullName: string;
}

/** The finished run that a `workflow_run` event tells of. All of it but the ids is chosen by whoever opened the run. */
export interface TriggeringRun {
  readonly id: number;
  readonly attempt: number;
  readonly workflowPath: string;
  readonly event: string;
  readonly conclusion: string | null;
  readonly headSha: string;
  readonly headBranch: string | null;
  readonly repository: RepositoryName;
  /** Null when the fork was deleted. */
  readonly headRepository: RepositoryName | null;
}

export interface ExpectedRun {
  /** `owner/name` of this repository, as GITHUB_REPOSITORY. */
  readonly repository: string;
  /** As `.github/workflows/drainwatch.yml`. */
  readonly workflowPath: string;
  readonly events: readonly string[];
}

export type RunTrust = { readonly status: 'accepted' } | { readonly status: 'refused'; readonly reason: string };

/** Whether a run is one of those whose results are to be reported. Accepted or not, what it made stays hostile. */
export function checkTriggeringRun(run: TriggeringRun, expected: ExpectedRun): RunTrust {
  const path = run.workflowPath.replace(/@.*$/s, '');
  const faults = [
    run.repository.fullName.toLowerCase() === expected.repository.toLowerCase()
      ? null
      : `it ran in ${quoted(run.repository.fullName)}, not in ${expected.repository}`,
    path === expected.workflowPath ? null : `its workflow is ${quoted(path)}, not ${expected.workflowPath}`,
    expected.events.includes(run.event)
      ? null
      : `its event is ${quoted(run.event)}, not one of ${expected.events.join(', ')}`,
  ].filter((fault) => fault !== null);
  return faults.length === 0
    ? { status: 'accepted' }
    : { status: 'refused', reason: `run ${run.id} is not reported: ${faults.join('; ')}` };
}
