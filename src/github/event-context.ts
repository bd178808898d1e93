import { z } from 'zod';
import { describeError, inputError } from '../domain/errors.ts';
import { pullRequestPayload, pushPayload, workflowRunPayload } from './event-payload.ts';
import type { TriggeringRun } from './triggering-run.ts';

/** What the runner says of the event. */
export interface EventFacts {
  /** GITHUB_EVENT_NAME. */
  readonly name: string;
  /** GITHUB_SHA; on `pull_request` it is a merge commit that nobody sees. */
  readonly sha: string;
  /** The parsed content of GITHUB_EVENT_PATH. */
  readonly payload: unknown;
}

interface Head {
  /** The commit that the results are about, and that a check belongs to. */
  readonly headSha: string;
  /** The commit comes from another repository, whose author is not trusted. */
  readonly isFork: boolean;
  /**
   * False where GitHub makes the token read-only, whatever `permissions:` grants. True says only that nothing is known
   * against writing: a missing permission shows as a `denied` result.
   */
  readonly canWrite: boolean;
}

export type EventContext =
  | (Head & { readonly kind: 'push'; readonly ref: string })
  | (Head & {
      readonly kind: 'pull-request';
      readonly event: 'pull_request' | 'pull_request_target';
      readonly pullRequest: number;
      readonly baseSha: string;
    })
  /** The pull request is not in the payload for forks: findPullRequest asks the API for it. */
  | (Head & { readonly kind: 'workflow-run'; readonly run: TriggeringRun })
  | (Head & { readonly kind: 'schedule' | 'workflow-dispatch' })
  | (Head & { readonly kind: 'other'; readonly event: string });

/** @throws {ActionableError} of kind `input` when the payload is not of GitHub's form for the event */
export function eventContextOf({ name, sha, payload }: EventFacts): EventContext {
  const own: Head = { headSha: sha, isFork: false, canWrite: true };
  switch (name) {
    case 'push':
      // `after` is a tag object's name when an annotated tag is pushed: GITHUB_SHA is the commit
      return { ...own, kind: 'push', ref: parse(name, pushPayload, payload).ref };
    case 'pull_request':
    case 'pull_request_target': {
      const { pull_request: pull } = parse(name, pullRequestPayload, payload);
      const isFork = pull.head.repo?.id !== pull.base.repo.id;
      return {
        kind: 'pull-request',
        event: name,
        headSha: pull.head.sha,
        baseSha: pull.base.sha,
        pullRequest: pull.number,
        isFork,
        canWrite: !isFork || name === 'pull_request_target',
      };
    }
    case 'workflow_run': {
      const run = triggeringRunOf(parse(name, workflowRunPayload, payload));
      const isFork = run.headRepository?.id !== run.repository.id;
      return { kind: 'workflow-run', headSha: run.headSha, isFork, canWrite: true, run };
    }
    case 'schedule':
      return { ...own, kind: 'schedule' };
    case 'workflow_dispatch':
      return { ...own, kind: 'workflow-dispatch' };
    default:
      return { ...own, kind: 'other', event: name };
  }
}

function triggeringRunOf({ workflow_run: run }: z.infer<typeof workflowRunPayload>): TriggeringRun {
  const { head_repository: head } = run;
  return {
    id: run.id,
    attempt: run.run_attempt,
    workflowPath: run.path,
    event: run.event,
    conclusion: run.conclusion,
    headSha: run.head_sha,
    headBranch: run.head_branch,
    repository: { id: run.repository.id, fullName: run.repository.full_name },
    headRepository: head === null ? null : { id: head.id, fullName: head.full_name },
  };
}

function parse<T>(event: string, schema: z.ZodType<T>, payload: unknown): T {
  const parsed = schema.safeParse(payload);
  if (parsed.success) return parsed.data;
  throw inputError(
    {
      expected: `GITHUB_EVENT_PATH holds GitHub's payload of ${event}`,
      found: describeError(z.prettifyError(parsed.error)),
      remedy: 'look at the file that GITHUB_EVENT_PATH names',
    },
    parsed.error,
  );
}
