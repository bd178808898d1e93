import type { WrittenChart } from '../assembly/write-charts.ts';
import { describeError } from '../domain/errors.ts';
import { renderAnnotations } from '../report/markdown/annotations.ts';
import { noticeDenied } from './denied-notice.ts';
import type { Links, PartOutcome, Publication } from './publication.ts';
import { publishArtifact } from './publish-artifact.ts';
import { drawCharts, publishCharts } from './publish-charts.ts';
import { publishCheck } from './publish-check.ts';
import { publishComment } from './publish-comment.ts';
import { writeReport } from './publish-report.ts';
import { publishSummary } from './publish-summary.ts';
import { resultOutputs } from './result-outputs.ts';

/** GitHub shows ten of a kind; the step's own failure is one. */
const mostAnnotations = 9;

/**
 * Tells of a result in every way that is wished and possible. What goes wrong here is told of and changes nothing of
 * the result: the outputs and the summary come first, and need no permission.
 *
 * @throws the signal's reason when it is aborted; nothing else
 */
export async function publish(publication: Publication, signal: AbortSignal): Promise<void> {
  const { aggregate, folder, inputs, journal, setOutput, uploads } = publication;
  for (const [name, value] of Object.entries(resultOutputs(aggregate, folder.path))) setOutput(name, value);
  for (const { level, title, message } of renderAnnotations(aggregate).slice(0, mostAnnotations)) {
    journal[level](title, message);
  }
  const parts = new Map<string, PartOutcome>();
  const part = async (title: string, work: () => Promise<PartOutcome>) => {
    parts.set(title, await softly(title, work, publication, signal));
  };

  await part('Summary', () => publishSummary(publication, {}));
  let charts: readonly WrittenChart[] = [];
  let links: Links = {};
  if (inputs.charts !== 'none') {
    await part('Charts', async () => {
      charts = await drawCharts(publication, signal);
      return { status: 'done', detail: `${charts.length} charts, each light and dark` };
    });
  }
  if (inputs.charts === 'branch') {
    await part('Charts branch', async () => {
      const { outcome, images } = await publishCharts(publication, charts, signal);
      links = { ...links, images };
      return outcome;
    });
  }
  await part('Report', () => writeReport(publication, charts));
  if (uploads) {
    await part('Artifact', async () => {
      const { outcome, url } = await publishArtifact(publication, signal);
      if (url !== undefined) links = { ...links, artifactUrl: url };
      return outcome;
    });
  }
  await part('Summary, with links', () => publishSummary(publication, links));
  if (inputs.check) await part('Check', () => publishCheck(publication, links, signal));
  await part('Comment', () => publishComment(publication, links, signal));
  noticeDenied(parts, publication);
}

/** Carries a part out; a failure of it becomes an outcome, and a warning where nobody could expect it. */
async function softly(
  title: string,
  work: () => Promise<PartOutcome>,
  { journal }: Publication,
  signal: AbortSignal,
): Promise<PartOutcome> {
  signal.throwIfAborted();
  return journal.group(title, async () => {
    const outcome = await work().catch((error: unknown): PartOutcome => {
      signal.throwIfAborted();
      if (error instanceof Error && error.stack !== undefined) journal.write(error.stack);
      return { status: 'failed', reason: describeError(error) };
    });
    journal.write(outcome.status === 'done' ? outcome.detail : `not written: ${outcome.reason}`);
    if (outcome.status === 'failed') journal.warning(`drainwatch: ${title}`, `not written: ${outcome.reason}`);
    return outcome;
  });
}
