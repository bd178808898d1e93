import type { Aggregate } from '../domain/aggregate.ts';
import { aggregate } from '../experiment/aggregate.ts';
import type { Plan } from '../experiment/plan.ts';
import { createDigester, type TrialDigest } from '../experiment/trial-digest.ts';
import { metrics } from '../metrics/index.ts';
import { publishedReference } from '../report/published.ts';
import type { StoredRun } from '../report/stored-run.ts';
import { renderTable } from '../report/table.ts';

/** How wide the table in a run's folder is: a file has no terminal. */
const fileWidth = 120;

/**
 * Aggregates all that the run's folder holds, and writes the CSV files, the aggregate and the table. Each trial is read
 * once, and one is in memory at a time.
 */
export async function sumUp(run: StoredRun, plan: Plan, wallSeconds: Aggregate['wallSeconds']): Promise<Aggregate> {
  const trials: TrialDigest[] = [];
  const digest = createDigester();
  await run.writeCsv(passing(run.readTrials(), (report) => void trials.push(digest(report))));
  let warmUps = 0;
  for await (const report of run.readWarmUps()) warmUps += report.trial.purpose === 'warm-up' ? 1 : 0;
  const { manifest } = run;
  const result = aggregate({
    run: manifest.run,
    matrix: manifest.matrix,
    startedAt: manifest.startedAt,
    wallSeconds,
    arms: plan.arms.map(({ arm, scenario, skip }) => ({ arm, label: scenario.label, skip })),
    trials,
    warmUps,
    failures: await run.readFailures(),
    metrics,
  });
  await run.writeAggregate(result);
  await run.writeTable(renderTable(result, { width: fileWidth, color: false, published: publishedReference() }));
  return result;
}

async function* passing<T>(values: AsyncIterable<T>, look: (value: T) => void): AsyncGenerator<T, void, undefined> {
  for await (const value of values) {
    look(value);
    yield value;
  }
}
