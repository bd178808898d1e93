import pLimit from 'p-limit';
import { MomentBook } from './moment-book.ts';
import { trialFloorSeconds } from './plan.ts';
import type { DeployedTrial, TrialHost, TrialRequest } from './run-trial.ts';
import type { TrialCourse } from './trial-course.ts';

/** Workloads that stand ready at once: far from a node's 110 pods, as most trials leave a second one behind. */
const waveSize = 30;
/** Container starts at once: more only contend for the node's CPUs. */
const deployments = 4;

export interface LaneOptions {
  /** Trials that hold flows at once. */
  readonly lanes: number;
  /** Least time between the critical moments of two trials, ms. */
  readonly spacingMs: number;
  /** Runs while the first workloads are deployed, before any is measured. */
  readonly meanwhile?: () => Promise<void>;
  /** Whether the cluster is deleted after these trials: what they leave then ends with it. */
  readonly clusterEnds?: boolean;
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
  { lanes, spacingMs, meanwhile, clusterEnds = false }: LaneOptions,
  signal: AbortSignal,
): Promise<void> {
  const book = new MomentBook(spacingMs);
  let waiting = longestFirst(trials);
  let prelude = meanwhile;
  while (waiting.length > 0) {
    const wave = waiting.slice(0, waveSize).filter((trial) => !course.isPointless(trial));
    const left = waiting.slice(waveSize);
    const again = await runWave(
      wave,
      course,
      { book, lanes, prelude, isLast: clusterEnds && left.length === 0 },
      signal,
    );
    waiting = [...left, ...again];
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
  /** Whether the cluster ends after it, if no trial is to be repeated. */
  readonly isLast: boolean;
}

/** Gives the trials that were disturbed, to be measured again. */
async function runWave(
  wave: readonly TrialRequest[],
  course: TrialCourse,
  { book, lanes, prelude, isLast }: Wave,
  signal: AbortSignal,
): Promise<readonly TrialRequest[]> {
  const again: TrialRequest[] = [];
  const deployed: DeployedTrial[] = [];
  const failing = new AbortController();
  const limited = AbortSignal.any([signal, failing.signal]);
  const guard = guardOf(failing);
  const isOff = (trial: TrialRequest) => limited.aborted || course.isPointless(trial);
  const deployment = pLimit(deployments);
  const ready = wave.map((trial) =>
    deployment(async () => {
      const workload = await guard(() => (isOff(trial) ? undefined : course.deploy(trial, limited)));
      if (workload !== undefined) deployed.push(workload);
      return workload;
    }),
  );
  // flows are opened and settle while other workloads are deployed; no trigger comes before all of that is over
  const calm = Promise.all([...ready, guard(() => prelude?.())]);
  const bookTrigger: TrialHost['bookTrigger'] = async (moments, earliestMs) => {
    await calm;
    return book.reserve(moments, Math.max(earliestMs, performance.now()));
  };
  const lane = pLimit(lanes);
  const measuring = ready.map((deploying) =>
    lane(async () => {
      const trial = await deploying;
      if (trial === undefined || isOff(trial.request)) return;
      const next = await guard(() => course.run(trial, bookTrigger, limited));
      if (next !== undefined) again.push(next);
    }),
  );
  await Promise.all([calm, ...measuring]);
  const how = isLast && again.length === 0 ? 'leave' : 'remove';
  await Promise.all(deployed.map((trial) => course.remove(trial, how)));
  if (failing.signal.aborted) throw failing.signal.reason;
  signal.throwIfAborted();
  return again;
}

/** Runs works of which none may reject: the first that throws aborts all the others. */
const guardOf =
  (failing: AbortController) =>
  async <T>(work: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      failing.abort(error);
      return undefined;
    }
  };
