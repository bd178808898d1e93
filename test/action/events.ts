/** Payloads with the parts of GitHub's that are read, and some that must not matter. */
const repository = { id: 1, full_name: 'octocat/hello', default_branch: 'main' };
const fork = { id: 2, full_name: 'mallory/hello', owner: { login: 'mallory' } };

export interface RunnerEvent {
  readonly name: string;
  /** GITHUB_SHA. */
  readonly sha: string;
  readonly payload: unknown;
}

/** Of the pull request's head; GITHUB_SHA is another one. */
export const headSha = 'ab'.repeat(20);
const mergeSha = 'cd'.repeat(20);

const pull = (from: unknown) => ({
  repository,
  pull_request: {
    number: 12,
    title: '::set-output name=passed::true',
    head: { sha: headSha, ref: 'topic', repo: from },
    base: { sha: 'ef'.repeat(20), ref: 'main', repo: repository },
  },
});

export const push: RunnerEvent = {
  name: 'push',
  sha: headSha,
  payload: { repository, ref: 'refs/heads/main', after: headSha },
};
export const schedule: RunnerEvent = { name: 'schedule', sha: headSha, payload: { repository, schedule: '0 3 * * *' } };
export const pullRequest: RunnerEvent = { name: 'pull_request', sha: mergeSha, payload: pull(repository) };
export const forkPullRequest: RunnerEvent = { name: 'pull_request', sha: mergeSha, payload: pull(fork) };

export const triggeringRunId = 777;

/** The end of a run that a fork's pull request started. */
export const workflowRun = (changes: Readonly<Record<string, unknown>> = {}): RunnerEvent => ({
  name: 'workflow_run',
  sha: 'ef'.repeat(20),
  payload: {
    repository,
    workflow_run: {
      id: triggeringRunId,
      run_attempt: 1,
      path: '.github/workflows/drainwatch.yml',
      event: 'pull_request',
      conclusion: 'success',
      head_sha: headSha,
      head_branch: 'topic',
      repository,
      head_repository: fork,
      // what a fork's run may say of itself is never taken for true
      pull_requests: [{ number: 99 }],
      ...changes,
    },
  },
});
