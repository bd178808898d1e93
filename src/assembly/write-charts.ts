import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drawCharts } from '../charts/draw-charts.ts';
import { charts } from '../charts/index.ts';
import { themes, type Theme } from '../domain/chart.ts';
import { describeError, inputError } from '../domain/errors.ts';
import type { TrialReport } from '../domain/trial.ts';
import { metrics } from '../metrics/index.ts';
import { renderChart, type ChartAssets } from '../rendering/render-chart.ts';
import type { StoredRun } from '../report/stored-run.ts';

/** A chart of a run as pictures, one a theme. */
export interface WrittenChart {
  readonly name: string;
  readonly title: string;
  readonly altText: string;
  /** Paths of PNG files, `<name>.light.png` and `<name>.dark.png`. */
  readonly files: Readonly<Record<Theme, string>>;
}

/**
 * Draws all charts of an aggregated run into `output`, which is made when it is missing. Tells of each file as it is
 * written. A run without a complete arm has no chart.
 *
 * @throws {ActionableError} of kind `input` when there is no aggregate or the folder can't be written, `requirement` or
 * `harness` as `renderChart`.
 */
export async function writeCharts(
  folder: StoredRun,
  { assets, output, onFile }: { assets: ChartAssets; output: string; onFile: (path: string) => void },
  signal: AbortSignal,
): Promise<readonly WrittenChart[]> {
  const aggregate = await folder.readAggregate();
  const reports: TrialReport[] = [];
  for await (const report of folder.readTrials()) reports.push(report);
  const written: WrittenChart[] = [];
  for (const { name, title, altText, specs } of drawCharts(charts, { aggregate, reports, metrics })) {
    const files = { light: join(output, `${name}.light.png`), dark: join(output, `${name}.dark.png`) };
    for (const theme of themes) {
      signal.throwIfAborted();
      await write(files[theme], output, await renderChart(specs[theme], assets));
      onFile(files[theme]);
    }
    written.push({ name, title, altText, files });
  }
  return written;
}

async function write(path: string, folder: string, content: Buffer): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(path, content);
  } catch (error) {
    throw inputError(
      {
        expected: 'a folder that can be written',
        found: `${path} can't be: ${describeError(error)}`,
        remedy: 'name another folder, or change its permissions',
      },
      error,
    );
  }
}
