import { checkTextLimit } from '../github/check.ts';
import { titleOf } from '../report/document/title.ts';
import { renderComment } from '../report/markdown/comment.ts';
import { outcomeOfFailure } from './part-outcomes.ts';
import type { Links, PartOutcome, Publication } from './publication.ts';
import { reportInput } from './report-input.ts';
import { conclusionOf } from './verdict.ts';

const longestTitle = 250;

/** A check on the head commit, in place of the one that this run's earlier attempts published. */
export async function publishCheck(publication: Publication, links: Links, signal: AbortSignal): Promise<PartOutcome> {
  const { aggregate, inputs, target, github, runner, setOutput } = publication;
  if (github === null) return { status: 'left', reason: 'no github-token was given' };
  const { checkName, commentKey, failOn } = inputs;
  const result = await github.publishCheck(
    {
      headSha: target.headSha,
      name: commentKey === 'default' ? checkName : `${checkName} (${commentKey})`,
      externalId: `drainwatch:${commentKey}`,
      conclusion: conclusionOf(aggregate, failOn),
      title: titleOf(aggregate).slice(0, longestTitle),
      summary: renderComment(reportInput(publication, links), { characters: checkTextLimit }),
      detailsUrl: runner.runUrl,
    },
    signal,
  );
  if (!('id' in result)) return outcomeOfFailure(result, 'checks: write');
  if (result.url !== null) setOutput('check-url', result.url);
  return { status: 'done', detail: `${result.status}${result.url === null ? '' : `: ${result.url}`}` };
}
