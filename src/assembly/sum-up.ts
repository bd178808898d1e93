import type { Aggregate } from '../domain/aggregate.ts';
import type { TrialReport } from '../domain/trial.ts';
import { aggregate } from '../experiment/aggregate.ts';
import type { Plan } from '../experiment/plan.ts';
import { metrics } from '../metrics/index.ts';
import type { RunFolder } from '../report/run-folder.ts';
import { renderTable } from '../report/table.ts';
import { publishedReference } from '../report/published.ts';

/** How wide the table in a run's folder is: a file has no terminal. */
const fileWidth = 120;

/** Aggregates all that the folder holds, and writes the aggregate, the CSV files and the table. */
export async function sumUp(folder: RunFolder, plan: Plan, wallSeconds: Aggregate['wallSeconds']): Promise<Aggregate> {
  const reports: TrialReport[] = [];
  for await (const report of folder.readTrials()) reports.push(report);
  let warmUps = 0;
  for await (const report of folder.readWarmUps()) warmUps += report.trial.purpose === 'warm-up' ? 1 : 0;
  const { manifest } = folder;
  const result = aggregate({
    run: manifest.run,
    matrix: manifest.matrix,
    startedAt: manifest.startedAt,
    wallSeconds,
    arms: plan.arms.map(({ arm, scenario, skip }) => ({ arm, label: scenario.label, skip })),
    reports,
    warmUps,
    failures: await folder.readFailures(),
    metrics,
  });
  await folder.writeAggregate(result);
  await folder.writeCsv();
  await folder.writeTable(renderTable(result, { width: fileWidth, color: false, published: publishedReference() }));
  return result;
}
