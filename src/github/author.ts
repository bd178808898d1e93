import { z } from 'zod';
import type { Api } from './api.ts';
import { done, type ApiResult } from './api-result.ts';

/** Who a comment's author must be for the comment to be this project's own. */
export type Author =
  { readonly kind: 'login'; readonly login: string } | { readonly kind: 'user'; readonly id: number };

/** The part of GitHub's "simple user" that tells who wrote; null for a deleted account. */
export const writerSchema = z.object({ id: z.number(), login: z.string(), type: z.string() }).nullable();
export type Writer = z.infer<typeof writerSchema>;

/** The account under which a workflow's GITHUB_TOKEN writes. No person's login can hold a bracket. */
const workflowLogin = 'github-actions[bot]';

/**
 * Finds the identity that the token writes under. An installation token may not ask (GET /user answers 403 "Resource
 * not accessible by integration"), so it is taken for the workflow's own; another App's login is given as `configured`.
 *
 * @param configured a login, as `my-app[bot]`
 */
export async function authorOf(
  api: Api,
  { token, configured }: { readonly token: string; readonly configured: string | undefined },
  signal: AbortSignal,
): Promise<ApiResult<Author>> {
  if (configured !== undefined) return done({ kind: 'login', login: configured });
  // GitHub's documented prefix of installation tokens, GITHUB_TOKEN among them
  if (token.startsWith('ghs_')) return done({ kind: 'login', login: workflowLogin });
  const user = await api.call({ route: 'GET /user', schema: z.object({ id: z.number() }), repeatable: true }, signal);
  if (user.status === 'ok') return done({ kind: 'user', id: user.value.id });
  if (user.status === 'denied' || user.status === 'not-found') return done({ kind: 'login', login: workflowLogin });
  return user;
}

export function wrote(author: Author, writer: Writer): boolean {
  if (writer === null) return false;
  if (author.kind === 'user') return writer.id === author.id;
  if (writer.login.toLowerCase() !== author.login.toLowerCase()) return false;
  return !author.login.endsWith('[bot]') || writer.type === 'Bot';
}
