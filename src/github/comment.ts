import { createHash } from 'node:crypto';
import { z } from 'zod';
import { createOnce, type Api } from './api.ts';
import { done, failed, type ApiFailure, type ApiResult } from './api-result.ts';
import { authorOf, writerSchema, wrote } from './author.ts';
import { markerOf, readMark, type CommentMark, type CommentState, type ReadMark } from './comment-marker.ts';
import { decideComment, type CommentMode } from './comment-policy.ts';

export interface CommentRequest {
  /** Number of the issue or pull request. */
  readonly issue: number;
  /** Tells the comments of several jobs or matrices in one pull request apart. */
  readonly key: string;
  /** Markdown; together with the marker at most `commentLimit` characters. */
  readonly body: string;
  readonly mode: CommentMode;
  readonly state: CommentState;
  /** What counts as the content for `on-change`: without run links, times and SHAs. Default: the body. */
  readonly fingerprint?: string;
  /** GITHUB_RUN_ID or another number that grows from run to run. Default 0: the last to write wins. */
  readonly sequence?: number;
}

export type CommentResult =
  | {
      readonly status: 'created' | 'updated';
      readonly id: number;
      readonly url: string;
      readonly duplicatesRemoved: number;
    }
  | { readonly status: 'unchanged'; readonly reason: string; readonly url: string | null }
  | ApiFailure;

/** Characters that GitHub takes in a comment's body. */
export const commentLimit = 65_536;
/** Characters to keep free for the marker. */
export const commentMarkerReserve = 512;

const commentSchema = z.object({
  id: z.number(),
  html_url: z.string(),
  body: z.string().optional(),
  user: writerSchema,
});
type Comment = z.infer<typeof commentSchema>;
interface OwnComment extends Comment {
  readonly mark: ReadMark;
}

interface Session {
  readonly api: Api;
  readonly token: string;
  readonly author: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Keeps one comment of this key up to date: found by its marker and its author, on whatever page it is.
 *
 * @throws the signal's reason when it is aborted; every failure of GitHub is a result
 */
export async function upsertComment(session: Session, request: CommentRequest): Promise<CommentResult> {
  const { issue, mode, state, body } = request;
  if (mode === 'never') return { status: 'unchanged', reason: 'comments are switched off', url: null };
  const digest = digestOf(request.fingerprint ?? body);
  const mark: CommentMark = { key: request.key, state, digest, sequence: request.sequence ?? 0 };
  const marked = `${markerOf(mark)}\n${body}`;
  if (marked.length > commentLimit) {
    return failed('invalid', `the comment has ${marked.length} characters, GitHub takes ${commentLimit}`);
  }

  const author = await authorOf(session.api, { token: session.token, configured: session.author }, session.signal);
  if (author.status !== 'ok') return author;
  const listed = await commentsOfKey(session, request);
  if (listed.status !== 'ok') return listed;
  const own = listed.value.filter(({ user }) => wrote(author.value, user));
  const newest = own.at(-1);
  const wish = { mode, state, digest, sequence: mark.sequence };
  const decision = decideComment(wish, newest?.mark ?? { kind: 'none' });
  if (decision.kind === 'leave') {
    return { status: 'unchanged', reason: decision.reason, url: newest?.html_url ?? null };
  }

  if (newest !== undefined) {
    const updated = await update(session, newest.id, marked);
    if (updated.status === 'ok') return finish(session, 'updated', updated.value, own);
    if (updated.status !== 'not-found') return updated;
    // deleted between the look and the write: there is no comment, and perhaps no need of one
    const anew = decideComment(wish, { kind: 'none' });
    if (anew.kind === 'leave') return { status: 'unchanged', reason: anew.reason, url: null };
  }
  const known = new Set(listed.value.map(({ id }) => id));
  const created = await createOnce(
    () => create(session, issue, marked),
    async () => {
      const again = await commentsOfKey(session, request);
      if (again.status !== 'ok') return again;
      return done(again.value.findLast(({ id, mark: seen }) => !known.has(id) && bears(seen, mark)) ?? null);
    },
  );
  if (created.status !== 'ok') return created;
  // the answer tells for certain who this token writes as: earlier comments of that author are ours after all
  const writer = created.value.user;
  const ours = listed.value.filter(
    ({ user }) => wrote(author.value, user) || (writer !== null && user?.id === writer.id),
  );
  return finish(session, 'created', created.value, ours);
}

/** The comments that bear this key's marker, oldest first, whoever wrote them. */
async function commentsOfKey(
  { api, signal }: Session,
  { issue, key }: CommentRequest,
): Promise<ApiResult<readonly OwnComment[]>> {
  const pages = await api.pages(
    {
      route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
      parameters: { issue_number: issue },
      schema: z.array(commentSchema),
    },
    (page) => page,
    signal,
  );
  if (pages.status !== 'ok') return pages;
  const marked = pages.value
    .map((comment) => ({ ...comment, mark: readMark(comment.body ?? '') }))
    .filter(({ mark }) => (mark.kind === 'mark' ? mark.mark.key : mark.kind === 'none' ? null : mark.key) === key);
  return done(marked.toSorted((left, right) => left.id - right.id));
}

/** Removes the other comments of this key; what can't be removed now is tried again by the next run. */
async function finish(
  { api, signal }: Session,
  status: 'created' | 'updated',
  { id, html_url: url }: Comment,
  own: readonly OwnComment[],
): Promise<CommentResult> {
  let duplicatesRemoved = 0;
  for (const duplicate of own) {
    if (duplicate.id === id) continue;
    const removed = await api.call(
      {
        route: 'DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}',
        parameters: { comment_id: duplicate.id },
        schema: z.unknown(),
        repeatable: true,
      },
      signal,
    );
    if (removed.status === 'ok') duplicatesRemoved++;
  }
  return { status, id, url, duplicatesRemoved };
}

const create = ({ api, signal }: Session, issue: number, body: string): Promise<ApiResult<Comment>> =>
  api.call(
    {
      route: 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
      parameters: { issue_number: issue, body },
      schema: commentSchema,
      repeatable: false,
    },
    signal,
  );

const update = ({ api, signal }: Session, id: number, body: string): Promise<ApiResult<Comment>> =>
  api.call(
    {
      route: 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
      parameters: { comment_id: id, body },
      schema: commentSchema,
      repeatable: true,
    },
    signal,
  );

const bears = (seen: ReadMark, mark: CommentMark): boolean =>
  seen.kind === 'mark' && seen.mark.digest === mark.digest && seen.mark.sequence === mark.sequence;

const digestOf = (content: string): string => createHash('sha256').update(content).digest('hex').slice(0, 32);
