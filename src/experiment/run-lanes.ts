import pLimit from 'p-limit';
import { MomentBook } from './moment-book.ts';
import { trialFloorSeconds } from './plan.ts';
import type { DeployedTrial, TrialHost, TrialRequest } from './run-trial.ts';
import type { TrialCourse } from './trial-course.ts';

/**
 * Workloads that stand ready at once, a lane. One ahead keeps a lane from waiting for a container's start; each more is
 * probed by the kubelet every second, and was seen to delay what the others measure (docs/performance.md).
 */
const standingPerLane = 2;
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
    const size = waveSize(waiting.length, lanes);
    const wave = waiting.slice(0, size).filter((trial) => !course.isPointless(trial));
    const left = waiting.slice(size);
    const { again, deployed } = await runWave(wave, course, { book, lanes, prelude }, signal);
    waiting = [...left, ...again];
    const how = clusterEnds && waiting.length === 0 ? 'leave' : 'remove';
    const removal = Promise.all(deployed.map((trial) => course.remove(trial, how)));
    // what is over is removed while the next wave is deployed, before any of it is measured
    prelude = async () => {
      await removal;
    };
  }
  await prelude?.();
}

/** As many trials as may stand ready, and the last few with those before them: a lane alone costs a wave's waiting. */
function waveSize(waiting: number, lanes: number): number {
  const standing = lanes * standingPerLane;
  return waiting - standing < lanes ? waiting : standing;
}

/** The longest first leaves the lanes' ends closest together (Graham, "Bounds on Multiprocessing Timing Anomalies", 1969). */
const longestFirst = (trials: readonly TrialRequest[]): readonly TrialRequest[] =>
  trials.toSorted((a, b) => floorOf(b) - floorOf(a) || a.repeat - b.repeat);
const floorOf = ({ planned, conditions }: TrialRequest) => trialFloorSeconds(planned.scenario, conditions);

interface Wave {
  readonly book: MomentBook;
  readonly lanes: number;
  /** Is over before any of the wave is measured. */
  readonly prelude: (() => Promise<void>) | undefined;
}

interface RunWave {
  /** Trials that were disturbed, to be measured again. */
  readonly again: readonly TrialRequest[];
  /** Workloads that still stand. */
  readonly deployed: readonly DeployedTrial[];
}

/** @throws what ends the run as a whole, after every workload of the wave was removed */
async function runWave(
  wave: readonly TrialRequest[],
  course: TrialCourse,
  { book, lanes, prelude }: Wave,
  signal: AbortSignal,
): Promise<RunWave> {
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
  if (limited.aborted) {
    await Promise.all(deployed.map((trial) => course.remove(trial)));
    throw limited.reason;
  }
  return { again, deployed };
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
