import { lastingLine } from '../assembly/progress-words.ts';
import type { Plan } from '../experiment/plan.ts';
import type { Progress, ProgressSink } from '../experiment/progress.ts';
import type { Journal } from './journal.ts';

export interface ProgressLog {
  readonly show: ProgressSink;
  /** Whether a trial failed or ended outside its expectation: then logs are worth keeping. */
  readonly hasFailed: () => boolean;
}

/** A fold of the log for each cluster; a line for each trial as it ends. */
export function createProgressLog({ groups }: Plan, journal: Journal): ProgressLog {
  const total = groups.filter(({ arms }) => arms.some(({ skip }) => skip === null)).length;
  let opened = 0;
  let failed = false;
  return {
    hasFailed: () => failed,
    show(progress: Progress) {
      failed ||=
        progress.kind === 'trial-failed' || (progress.kind === 'trial-ended' && progress.report.unexpected.length > 0);
      if (progress.kind === 'cluster-opening') {
        opened += 1;
        journal.open(`Trials${total === 1 ? '' : `, cluster ${opened} of ${total}`}: ${progress.arms.join(', ')}`);
      }
      const line = lastingLine(progress);
      if (line !== undefined) journal.write(line);
      if (progress.kind === 'cluster-closing') journal.close();
    },
  };
}
