import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WrittenChart } from '../assembly/write-charts.ts';
import type { TrialReport } from '../domain/trial.ts';
import type { PageImage } from '../report/html/images.ts';
import { renderHtml } from '../report/html/page.ts';
import { renderTable } from '../report/table.ts';
import type { PartOutcome, Publication } from './publication.ts';
import { reportInput } from './report-input.ts';

/** Writes the self-contained page into the run's folder. */
export async function writeReport(publication: Publication, charts: readonly WrittenChart[]): Promise<PartOutcome> {
  const { aggregate, folder, setOutput } = publication;
  const { published, context } = reportInput(publication, {});
  const reports: TrialReport[] = [];
  for await (const report of folder.readTrials()) reports.push(report);
  const images = await Promise.all(
    charts.map(async ({ name, altText, files }): Promise<PageImage> => ({
      name,
      alt: altText,
      light: await readFile(files.light, 'base64'),
      dark: await readFile(files.dark, 'base64'),
    })),
  );
  const page = renderHtml({
    aggregate,
    reports,
    context,
    images,
    text: renderTable(aggregate, { width: 120, color: false, ...(published === undefined ? {} : { published }) }),
    ...(published === undefined ? {} : { published }),
  });
  const path = join(folder.path, 'report.html');
  await writeFile(path, page);
  setOutput('report-html', path);
  return { status: 'done', detail: path };
}
