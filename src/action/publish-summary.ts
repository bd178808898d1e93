import { summary } from '@actions/core';
import { renderSummary } from '../report/markdown/summary.ts';
import type { Links, PartOutcome, Publication } from './publication.ts';
import { reportInput } from './report-input.ts';

/** GitHub takes so much of a step's summary, and drops a larger one whole (docs.github.com, "Adding a job summary"). */
const mostBytes = 1024 * 1024;

/** Writes the step's summary in place of what it had: links come as they are known. */
export async function publishSummary(publication: Publication, links: Links): Promise<PartOutcome> {
  if ((process.env.GITHUB_STEP_SUMMARY ?? '') === '') return { status: 'left', reason: 'this runner has no summaries' };
  const text = renderSummary(reportInput(publication, links), { bytes: mostBytes - 1 });
  await summary.emptyBuffer().addRaw(text).write({ overwrite: true });
  return { status: 'done', detail: `${Buffer.byteLength(text)} bytes` };
}
