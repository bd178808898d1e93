import { z } from 'zod';
import { createOnce, type Api } from './api.ts';
import { done, failed, type ApiFailure, type ApiResult } from './api-result.ts';
import { annotationBatches, type Annotation } from './check-annotations.ts';

export interface CheckRequest {
  /** The pull request's head, never the merge commit of GITHUB_SHA: a check on that one is shown nowhere. */
  readonly headSha: string;
  readonly name: string;
  /** Names this check among those of the same name, so that a rerun updates it in place. */
  readonly externalId: string;
  readonly conclusion: 'success' | 'failure' | 'neutral';
  readonly title: string;
  /** Markdown of at most `checkTextLimit` characters. */
  readonly summary: string;
  /** Markdown of at most `checkTextLimit` characters. */
  readonly text?: string;
  readonly detailsUrl?: string;
  readonly annotations?: readonly Annotation[];
}

export type CheckResult =
  { readonly status: 'created' | 'updated'; readonly id: number; readonly url: string | null } | ApiFailure;

/** Characters that GitHub takes in a check's summary and in its text. */
export const checkTextLimit = 65_535;

const checkSchema = z.object({
  id: z.number(),
  name: z.string(),
  external_id: z.string().nullable(),
  html_url: z.string().nullable(),
  output: z.object({ annotations_count: z.number() }),
});
type Check = z.infer<typeof checkSchema>;

interface Session {
  readonly api: Api;
  readonly signal: AbortSignal;
}

/**
 * Publishes a completed check on a commit, in place of an earlier one of the same name and external id.
 *
 * Only Apps may write checks, the workflow's own token among them; others get `denied`.
 *
 * @throws the signal's reason when it is aborted; every failure of GitHub is a result
 */
export async function publishCheck(session: Session, request: CheckRequest): Promise<CheckResult> {
  const tooLong = [request.summary, request.text ?? ''].find((markdown) => markdown.length > checkTextLimit);
  if (tooLong !== undefined) {
    return failed('invalid', `the check's text has ${tooLong.length} characters, GitHub takes ${checkTextLimit}`);
  }
  const existing = await findCheck(session, request);
  if (existing.status !== 'ok') return existing;
  const [first = [], ...rest] = annotationBatches(request.annotations ?? []);
  const written = await writeFirst(session, request, existing.value, first);
  if (written.status !== 'ok') return written;
  const { id, html_url: url } = written.value.check;
  for (const batch of rest) {
    // GitHub appends the annotations of each further request
    const more = await update(session, id, { output: outputOf(request, batch) }, false);
    if (more.status !== 'ok') return more;
  }
  return { status: written.value.how, id, url };
}

interface Written {
  readonly how: 'created' | 'updated';
  readonly check: Check;
}

async function writeFirst(
  session: Session,
  request: CheckRequest,
  existing: Check | null,
  annotations: readonly Annotation[],
): Promise<ApiResult<Written>> {
  const content = contentOf(request, annotations);
  // annotations can't be taken back: one that has some is superseded by a new check of its name
  if (existing !== null && existing.output.annotations_count === 0) {
    const updated = await update(session, existing.id, content, annotations.length === 0);
    if (updated.status === 'ok') return done({ how: 'updated', check: updated.value });
    if (updated.status !== 'not-found') return updated;
  }
  const created = await createOnce(
    () => create(session, { ...content, head_sha: request.headSha }),
    async () => {
      const found = await findCheck(session, request);
      return found.status === 'ok' && found.value?.id === existing?.id ? done(null) : found;
    },
  );
  return created.status === 'ok' ? done({ how: 'created', check: created.value }) : created;
}

async function findCheck(
  { api, signal }: Session,
  { headSha, name, externalId }: CheckRequest,
): Promise<ApiResult<Check | null>> {
  const checks = await api.pages(
    {
      route: 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
      parameters: { ref: headSha, check_name: name, filter: 'all' },
      schema: z.object({ check_runs: z.array(checkSchema) }),
    },
    ({ check_runs: page }) => page,
    signal,
  );
  if (checks.status !== 'ok') return checks;
  const own = checks.value.filter((check) => check.name === name && check.external_id === externalId);
  return done(own.toSorted((left, right) => left.id - right.id).at(-1) ?? null);
}

const outputOf = ({ title, summary, text }: CheckRequest, annotations: readonly Annotation[]) => ({
  title,
  summary,
  ...(text === undefined ? {} : { text }),
  ...(annotations.length === 0 ? {} : { annotations }),
});

const contentOf = (request: CheckRequest, annotations: readonly Annotation[]) => ({
  name: request.name,
  external_id: request.externalId,
  status: 'completed',
  conclusion: request.conclusion,
  ...(request.detailsUrl === undefined ? {} : { details_url: request.detailsUrl }),
  output: outputOf(request, annotations),
});

const create = ({ api, signal }: Session, content: Readonly<Record<string, unknown>>): Promise<ApiResult<Check>> =>
  api.call(
    {
      route: 'POST /repos/{owner}/{repo}/check-runs',
      parameters: content,
      schema: checkSchema,
      repeatable: false,
    },
    signal,
  );

/** @param repeatable not with annotations: each request appends its own */
const update = (
  { api, signal }: Session,
  id: number,
  content: Readonly<Record<string, unknown>>,
  repeatable: boolean,
): Promise<ApiResult<Check>> =>
  api.call(
    {
      route: 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}',
      parameters: { check_run_id: id, ...content },
      schema: checkSchema,
      repeatable,
    },
    signal,
  );
