import { commentLimit, commentMarkerReserve } from '../github/comment.ts';
import { renderComment } from '../report/markdown/comment.ts';
import { outcomeOfFailure } from './part-outcomes.ts';
import type { Links, PartOutcome, Publication } from './publication.ts';
import { reportInput } from './report-input.ts';
import { commentStateOf, fingerprintOf } from './verdict.ts';

/** Said first where the numbers are those of code that nobody here has accepted. */
const hostileNote =
  '> Measured by a run of a fork’s code: the numbers are that run’s own words, checked in form and written out here.\n\n';

/** The sticky comment of this key on the pull request. */
export async function publishComment(
  publication: Publication,
  links: Links,
  signal: AbortSignal,
): Promise<PartOutcome> {
  const { aggregate, inputs, target, github, runner, setOutput, measuredBy } = publication;
  if (inputs.comment === 'never') return { status: 'left', reason: 'comments are switched off' };
  if (target.pullRequest === null) return { status: 'left', reason: 'there is no pull request' };
  if (github === null) return { status: 'left', reason: 'no github-token was given' };
  const note = target.isFork && measuredBy !== undefined ? hostileNote : '';
  const characters = commentLimit - commentMarkerReserve - note.length;
  const result = await github.upsertComment(
    {
      issue: target.pullRequest,
      key: inputs.commentKey,
      body: note + renderComment(reportInput(publication, links), { characters }),
      mode: inputs.comment,
      state: commentStateOf(aggregate),
      fingerprint: fingerprintOf(aggregate),
      sequence: runner.runId,
    },
    signal,
  );
  switch (result.status) {
    case 'created':
    case 'updated':
      setOutput('comment-id', String(result.id));
      setOutput('comment-url', result.url);
      return { status: 'done', detail: `${result.status}: ${result.url}` };
    case 'unchanged':
      if (result.url !== null) setOutput('comment-url', result.url);
      return { status: 'left', reason: result.reason };
    default:
      return outcomeOfFailure(result, 'pull-requests: write');
  }
}
