import type { TrialReport } from '../../src/domain/trial.ts';
import type { RunManifest } from '../../src/report/manifest.ts';
import { createRunFolder } from '../../src/report/store.ts';
import { exampleReport, manifest, matrix } from '../unit/report/example-reports.ts';

export interface StoredRun {
  /** What ended otherwise than expected, in the first trial. */
  readonly unexpected?: readonly string[];
  /** Trials that are there; the matrix asks for two. */
  readonly trials?: number;
  readonly scenario?: string;
  readonly manifest?: Partial<RunManifest>;
  /** Puts hostile words into a report. */
  readonly change?: (report: TrialReport) => TrialReport;
}

/** A run of two trials on disk, without an aggregate. */
export async function storeRun(path: string, options: StoredRun = {}): Promise<string> {
  const { unexpected = [], trials = 2, scenario = 'drain', change = (report: TrialReport) => report } = options;
  const own = { ...manifest, matrix: { ...matrix, scenarios: [scenario], repeats: 2 }, ...options.manifest };
  const folder = await createRunFolder(path, own);
  for (let repeat = 1; repeat <= trials; repeat++) {
    await folder.writeTrial(change({ ...exampleReport(repeat, scenario), unexpected: repeat === 1 ? unexpected : [] }));
  }
  return folder.path;
}
