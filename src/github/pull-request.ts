import { z } from 'zod';
import type { Api } from './api.ts';
import { done, type ApiFailure, type ApiResult } from './api-result.ts';
import type { TriggeringRun } from './triggering-run.ts';

export type PullRequestResult =
  | { readonly status: 'found'; readonly pullRequest: number }
  /** The pull request has moved on: what is known of the older commit would only mislead there. */
  | { readonly status: 'superseded'; readonly pullRequest: number; readonly reason: string }
  | { readonly status: 'none'; readonly reason: string }
  | { readonly status: 'ambiguous'; readonly pullRequests: readonly number[]; readonly reason: string }
  | ApiFailure;

const pullsSchema = z.array(
  z.object({
    number: z.number(),
    state: z.string(),
    head: z.object({ sha: z.string(), repo: z.object({ id: z.number() }).nullable() }),
    base: z.object({ repo: z.object({ id: z.number() }) }),
  }),
);
type Pull = z.infer<typeof pullsSchema>[number];

/**
 * Derives the pull request of a finished run from its head commit and head repository, by the API alone: nothing that
 * the run made, its artifact above all, has a say.
 *
 * GET commits/{sha}/pulls of the base repository knows no commit that only a fork has, so for a fork the branch that
 * the run was started from leads the way; the commit decides.
 *
 * @throws the signal's reason when it is aborted; every failure of GitHub is a result
 */
export async function findPullRequest(
  api: Api,
  run: Pick<TriggeringRun, 'headSha' | 'headBranch' | 'repository' | 'headRepository'>,
  signal: AbortSignal,
): Promise<PullRequestResult> {
  const { headSha, headRepository, repository } = run;
  if (headRepository === null) return { status: 'none', reason: 'the repository that the commit came from is gone' };
  const ofThisHead = ({ state, head, base }: Pull): boolean =>
    state === 'open' && head.repo?.id === headRepository.id && base.repo.id === repository.id;

  const byCommit = await pullsOfCommit(api, headSha, signal);
  if (byCommit.status !== 'ok') return byCommit;
  let candidates = byCommit.value.filter(ofThisHead);
  if (!candidates.some(({ head }) => head.sha === headSha) && run.headBranch !== null) {
    const owner = headRepository.fullName.replace(/\/.*/, '');
    const byBranch = await pullsOfBranch(api, `${owner}:${run.headBranch}`, signal);
    if (byBranch.status !== 'ok') return byBranch;
    candidates = byBranch.value.filter(ofThisHead);
  }
  return choose(candidates, headSha);
}

function choose(candidates: readonly Pull[], headSha: string): PullRequestResult {
  const [current, ...others] = candidates.filter(({ head }) => head.sha === headSha);
  if (current !== undefined && others.length === 0) return { status: 'found', pullRequest: current.number };
  if (current !== undefined) {
    const pullRequests = [current, ...others].map(({ number }) => number);
    return {
      status: 'ambiguous',
      pullRequests,
      reason: `commit ${headSha} heads ${pullRequests.length} pull requests`,
    };
  }
  const [moved] = candidates;
  if (moved === undefined) return { status: 'none', reason: `no open pull request has the head ${headSha}` };
  const reason = `pull request ${moved.number} has moved on from ${headSha} to ${moved.head.sha}`;
  return { status: 'superseded', pullRequest: moved.number, reason };
}

async function pullsOfCommit(api: Api, sha: string, signal: AbortSignal): Promise<ApiResult<readonly Pull[]>> {
  const pulls = await api.pages(
    {
      route: 'GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls',
      parameters: { commit_sha: sha },
      schema: pullsSchema,
    },
    (page) => page,
    signal,
  );
  // a commit that the base repository has never seen: 404 or 422 "No commit found for SHA"
  return pulls.status === 'not-found' || pulls.status === 'invalid' ? done([]) : pulls;
}

const pullsOfBranch = (api: Api, head: string, signal: AbortSignal): Promise<ApiResult<readonly Pull[]>> =>
  api.pages(
    { route: 'GET /repos/{owner}/{repo}/pulls', parameters: { state: 'open', head }, schema: pullsSchema },
    (page) => page,
    signal,
  );
