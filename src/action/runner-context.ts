import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { describeError, requirementError } from '../domain/errors.ts';
import { eventContextOf, type EventContext } from '../github/event-context.ts';

/** What the runner tells every step, by the names of its variables (docs.github.com, "Variables reference"). */
const environmentForm = z.object({
  GITHUB_EVENT_NAME: z.string(),
  GITHUB_EVENT_PATH: z.string(),
  GITHUB_SHA: z.string(),
  GITHUB_REPOSITORY: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  GITHUB_RUN_ID: z.string().regex(/^\d+$/).transform(Number),
  GITHUB_RUN_ATTEMPT: z.string().regex(/^\d+$/).transform(Number).default(1),
  GITHUB_API_URL: z.url().default('https://api.github.com'),
  GITHUB_SERVER_URL: z.url().default('https://github.com'),
  GITHUB_WORKSPACE: z.string(),
  RUNNER_TEMP: z.string(),
});

export interface RunnerContext {
  /** `owner/name`. */
  readonly repository: string;
  readonly owner: string;
  readonly repo: string;
  readonly runId: number;
  readonly attempt: number;
  readonly apiUrl: string;
  readonly serverUrl: string;
  readonly runUrl: string;
  /** Relative paths in inputs are relative to it. */
  readonly workspace: string;
  /** Emptied before and after each job. */
  readonly temporaryFolder: string;
  readonly event: EventContext;
  /** Why nothing is known of the event but its name, as under some runners that are not GitHub's; null where it is known. */
  readonly eventProblem: string | null;
}

/** @throws {ActionableError} of kind `requirement` outside a runner */
export function readRunnerContext(environment: NodeJS.ProcessEnv): RunnerContext {
  const parsed = environmentForm.safeParse(environment);
  if (!parsed.success) throw noRunner(describeError(z.prettifyError(parsed.error)), parsed.error);
  const variables = parsed.data;
  const repository = variables.GITHUB_REPOSITORY;
  const [owner = '', repo = ''] = repository.split('/');
  return {
    repository,
    owner,
    repo,
    runId: variables.GITHUB_RUN_ID,
    attempt: variables.GITHUB_RUN_ATTEMPT,
    apiUrl: variables.GITHUB_API_URL,
    serverUrl: variables.GITHUB_SERVER_URL,
    runUrl: `${variables.GITHUB_SERVER_URL}/${repository}/actions/runs/${variables.GITHUB_RUN_ID}`,
    workspace: variables.GITHUB_WORKSPACE,
    temporaryFolder: variables.RUNNER_TEMP,
    ...readEvent(variables.GITHUB_EVENT_NAME, variables.GITHUB_SHA, variables.GITHUB_EVENT_PATH),
  };
}

/** An event that can't be read says nothing of a pull request: what is measured and stored does not depend on it. */
function readEvent(name: string, sha: string, path: string): Pick<RunnerContext, 'event' | 'eventProblem'> {
  try {
    const payload: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return { event: eventContextOf({ name, sha, payload }), eventProblem: null };
  } catch (error) {
    const event = { kind: 'other', event: name, headSha: sha, isFork: false, canWrite: true } as const;
    return { event, eventProblem: describeError(error) };
  }
}

const noRunner = (found: string, cause: unknown) =>
  requirementError(
    {
      expected: 'the variables that a GitHub Actions runner sets',
      found,
      remedy: 'use it in a workflow; elsewhere the command line does the same: `node dist/cli.js run`',
    },
    cause,
  );
