import type { TrialCourse } from './trial-course.ts';
import type { TrialHost, TrialRequest } from './run-trial.ts';

/** A trial that has the cluster for itself need not wait for others. */
const atOnce: TrialHost['bookTrigger'] = (_moments, earliestMs) => Promise.resolve(earliestMs);

/** Runs trials one after the other, each alone on the cluster. @throws what ends the run as a whole */
export async function runSequence(
  trials: readonly TrialRequest[],
  course: TrialCourse,
  signal: AbortSignal,
): Promise<void> {
  for (const trial of trials) {
    let next: TrialRequest | undefined = trial;
    while (next !== undefined && !course.isPointless(next)) next = await runAlone(next, course, signal);
  }
}

async function runAlone(
  trial: TrialRequest,
  course: TrialCourse,
  signal: AbortSignal,
): Promise<TrialRequest | undefined> {
  const deployed = await course.deploy(trial, signal);
  if (deployed === undefined) return undefined;
  try {
    return await course.run(deployed, atOnce, signal);
  } finally {
    await course.remove(deployed);
  }
}
