import { createGitHub, type GitHub } from '../github/github.ts';
import type { Journal } from './journal.ts';
import type { PublicationInputs } from './publication-inputs.ts';
import type { RunnerContext } from './runner-context.ts';

/** Null without a token. */
export function githubClient(
  { githubToken, commentAuthor }: PublicationInputs,
  { apiUrl, serverUrl, owner, repo }: RunnerContext,
  journal: Journal,
): GitHub | null {
  if (githubToken === undefined) return null;
  return createGitHub({
    token: githubToken,
    apiUrl,
    serverUrl,
    owner,
    repo,
    onRetry: journal.write,
    ...(commentAuthor === undefined ? {} : { author: commentAuthor }),
  });
}
