import { Api, defaultTimings, type ApiTimings } from './api.ts';
import type { ApiResult } from './api-result.ts';
import { artifactNames } from './artifact-list.ts';
import { downloadArtifact, type DownloadRequest, type DownloadResult } from './artifact-download.ts';
import { publishCheck, type CheckRequest, type CheckResult } from './check.ts';
import { upsertComment, type CommentRequest, type CommentResult } from './comment.ts';
import { publishImages, type ImagesRequest, type ImagesResult } from './images.ts';
import { findPullRequest, type PullRequestResult } from './pull-request.ts';
import type { TriggeringRun } from './triggering-run.ts';

export interface GitHubOptions {
  readonly token: string;
  /** GITHUB_API_URL, as `https://api.github.com`. */
  readonly apiUrl: string;
  /** GITHUB_SERVER_URL, as `https://github.com`. */
  readonly serverUrl: string;
  readonly owner: string;
  readonly repo: string;
  /**
   * The login that the token writes comments under, as `my-app[bot]`. Default: the token is asked, and one that may not
   * ask is the workflow's own, `github-actions[bot]`.
   */
  readonly author?: string;
  readonly timings?: Partial<ApiTimings>;
  /** Told of each failed attempt that is followed by another. */
  readonly onRetry?: (what: string) => void;
}

/**
 * What drainwatch asks of GitHub. Failures are results with a status to act on; `denied` means that the token may not,
 * which a fork's pull request can't help: its caller goes on with a notice. Only an aborted signal throws (its reason).
 */
export interface GitHub {
  upsertComment(request: CommentRequest, signal: AbortSignal): Promise<CommentResult>;
  publishCheck(request: CheckRequest, signal: AbortSignal): Promise<CheckResult>;
  publishImages(request: ImagesRequest, signal: AbortSignal): Promise<ImagesResult>;
  findPullRequest(run: TriggeringRun, signal: AbortSignal): Promise<PullRequestResult>;
  /** Names of the artifacts of a run that can be downloaded and bear this project's prefix. */
  artifactNames(runId: number, signal: AbortSignal): Promise<ApiResult<readonly string[]>>;
  /** Also throws the file system's own errors. */
  downloadArtifact(request: DownloadRequest, signal: AbortSignal): Promise<DownloadResult>;
}

export function createGitHub(options: GitHubOptions): GitHub {
  const api = new Api(options);
  const repositoryUrl = `${options.serverUrl}/${options.owner}/${options.repo}`;
  const firstPauseMs = options.timings?.firstPauseMs ?? defaultTimings.firstPauseMs;
  return {
    upsertComment: (request, signal) =>
      upsertComment({ api, token: options.token, author: options.author, signal }, request),
    publishCheck: (request, signal) => publishCheck({ api, signal }, request),
    publishImages: (request, signal) => publishImages({ api, repositoryUrl, signal, firstPauseMs }, request),
    findPullRequest: (run, signal) => findPullRequest(api, run, signal),
    artifactNames: (runId, signal) => artifactNames(api, runId, signal),
    downloadArtifact: (request, signal) => downloadArtifact(api, request, signal),
  };
}
