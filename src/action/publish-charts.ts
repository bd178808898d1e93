import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { writeCharts, type WrittenChart } from '../assembly/write-charts.ts';
import type { ReportImage } from '../report/markdown/report.ts';
import { outcomeOfFailure } from './part-outcomes.ts';
import type { PartOutcome, Publication } from './publication.ts';

/** Draws the charts into the run's folder. */
export async function drawCharts(
  { folder, files, journal, setOutput }: Publication,
  signal: AbortSignal,
): Promise<readonly WrittenChart[]> {
  const output = join(folder.path, 'charts');
  const onFile = (path: string) => {
    journal.write(path);
  };
  const charts = await writeCharts(folder, { assets: files.charts, output, onFile }, signal);
  setOutput('chart-paths', JSON.stringify(charts.flatMap((chart) => Object.values(chart.files))));
  return charts;
}

/** Commits the pictures to their branch, so that comment and summary can show them. */
export async function publishCharts(
  { github, inputs, target, runner }: Publication,
  charts: readonly WrittenChart[],
  signal: AbortSignal,
): Promise<{ readonly outcome: PartOutcome; readonly images: readonly ReportImage[] }> {
  if (github === null) return { outcome: { status: 'left', reason: 'no github-token was given' }, images: [] };
  if (charts.length === 0) return { outcome: { status: 'left', reason: 'there is no chart' }, images: [] };
  const paths = charts.flatMap((chart) => Object.values(chart.files));
  const pictures = await Promise.all(
    paths.map(async (path) => ({ name: basename(path), content: await readFile(path) })),
  );
  const subject = target.pullRequest === null ? `run-${runner.runId}` : `pr-${target.pullRequest}`;
  const result = await github.publishImages(
    {
      branch: inputs.chartsBranch,
      folder: `${subject}-${inputs.commentKey}`,
      files: pictures,
      message: `Charts of ${target.headSha.slice(0, 7)}`,
    },
    signal,
  );
  if (result.status !== 'published') return { outcome: outcomeOfFailure(result, 'contents: write'), images: [] };
  const images = charts.flatMap(({ name, altText, files }): readonly ReportImage[] => {
    const [lightUrl, darkUrl] = [files.light, files.dark].map((path) => result.urls.get(basename(path)));
    if (lightUrl === undefined) return [];
    return [{ name, alt: altText, lightUrl, ...(darkUrl === undefined ? {} : { darkUrl }) }];
  });
  return { outcome: { status: 'done', detail: `${paths.length} pictures on ${inputs.chartsBranch}` }, images };
}
