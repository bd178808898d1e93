import pMap from 'p-map';
import { MomentBook } from './moment-book.ts';
import { trialFloorSeconds } from './plan.ts';
import type { DeployedTrial, TrialRequest } from './run-trial.ts';
import type { TrialCourse } from './trial-course.ts';

/** Workloads that stand ready at once: far from a node's 110 pods, as most trials leave a second one behind. */
const waveSize = 30;
/** Container starts at once: more only contend for the node's CPUs. */
const deployments = 4;
const removals = 8;

export interface LaneOptions {
  /** Trials that hold flows at once. */
  readonly lanes: number;
  /** Least time between the critical moments of two trials, ms. */
  readonly spacingMs: number;
  /** Runs while the first workloads are deployed, before any is measured. */
  readonly meanwhile?: () => Promise<void>;
}

/**
 * Runs trials side by side on one cluster. Their workloads are deployed ahead and removed afterwards, a wave of them at
 * a time, so that no container starts or ends for want of a trial while another is measured; a book keeps the trials'
 * own critical moments apart.
 *
 * @throws what ends the run as a whole, after every workload was removed
 */
export async function runLanes(
  trials: readonly TrialRequest[],
  course: TrialCourse,
  { lanes, spacingMs, meanwhile }: LaneOptions,
  signal: AbortSignal,
): Promise<void> {
  const book = new MomentBook(spacingMs);
  let waiting = longestFirst(trials);
  let prelude = meanwhile;
  while (waiting.length > 0) {
    const wave = waiting.slice(0, waveSize).filter((trial) => !course.isPointless(trial));
    const again = await runWave(wave, course, { book, lanes, prelude }, signal);
    waiting = [...waiting.slice(waveSize), ...again];
    prelude = undefined;
  }
}

/** The longest first leaves the lanes' ends closest together (Graham, "Bounds on Multiprocessing Timing Anomalies", 1969). */
const longestFirst = (trials: readonly TrialRequest[]): readonly TrialRequest[] =>
  trials.toSorted((a, b) => floorOf(b) - floorOf(a) || a.repeat - b.repeat);
const floorOf = ({ planned, conditions }: TrialRequest) => trialFloorSeconds(planned.scenario, conditions);

interface Wave {
  readonly book: MomentBook;
  readonly lanes: number;
  readonly prelude: (() => Promise<void>) | undefined;
}

/** Gives the trials that were disturbed, to be measured again. */
async function runWave(
  wave: readonly TrialRequest[],
  course: TrialCourse,
  { book, lanes, prelude }: Wave,
  signal: AbortSignal,
): Promise<readonly TrialRequest[]> {
  const deployed: DeployedTrial[] = [];
  const again: TrialRequest[] = [];
  try {
    await allEnded([
      prelude?.() ?? Promise.resolve(),
      eachOf(wave, deployments, signal, async (trial, abort) => {
        const workload = course.isPointless(trial) ? undefined : await course.deploy(trial, abort);
        if (workload !== undefined) deployed.push(workload);
      }),
    ]);
    const inOrder = deployed.toSorted((a, b) => wave.indexOf(a.request) - wave.indexOf(b.request));
    await eachOf(inOrder, lanes, signal, async (trial, abort) => {
      if (course.isPointless(trial.request)) return;
      const next = await course.run(trial, (moments, earliestMs) => book.reserve(moments, earliestMs), abort);
      if (next !== undefined) again.push(next);
    });
  } finally {
    await pMap(deployed, (trial) => course.remove(trial), { concurrency: removals });
  }
  return again;
}

/** Unlike `Promise.all`, throws only when none of them runs any more. */
async function allEnded(works: readonly Promise<void>[]): Promise<void> {
  const ends = await Promise.allSettled(works);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Works on `concurrency` of them at once. The first that throws aborts the others; it is thrown when all have ended. */
async function eachOf<T>(
  items: readonly T[],
  concurrency: number,
  signal: AbortSignal,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failing = new AbortController();
  const limited = AbortSignal.any([signal, failing.signal]);
  const failure: { error?: unknown } = {};
  await pMap(
    items,
    async (item) => {
      if (limited.aborted) return;
      try {
        await work(item, limited);
      } catch (error) {
        if (!('error' in failure)) failure.error = error;
        failing.abort(error);
      }
    },
    { concurrency },
  );
  if ('error' in failure) throw failure.error;
  signal.throwIfAborted();
}
