import pLimit from 'p-limit';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { MomentBook } from './moment-book.ts';
import { trialFloorSeconds } from './plan.ts';
import type { DeployedTrial, TrialHost, TrialRequest } from './run-trial.ts';
import { Standing } from './standing.ts';
import type { TrialCourse } from './trial-course.ts';

/** Container starts at once: more only contend for the node's CPUs. */
const deployments = 4;
/** What a batch's containers take to start, and what is over to go: fits between the triggers of five drains and their ends. */
const exchangeMs = 5_000;

/** What lanes need of the trials' course. */
export type LaneCourse = Pick<TrialCourse, 'isPointless' | 'deploy' | 'run' | 'remove'>;

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
 * Runs trials side by side on one cluster, in batches of one a lane. A batch is deployed, and what is over is removed,
 * while the batch before it is between its triggers and its ends: workloads that only stand ready are probed by the
 * kubelet all the same, and 25 of them were seen to delay what is measured (docs/performance.md). A book keeps all of
 * that, and the trials' own critical moments, apart.
 *
 * @throws what ends the run as a whole, after every workload was removed
 */
export async function runLanes(
  trials: readonly TrialRequest[],
  course: LaneCourse,
  { lanes, spacingMs, meanwhile, clusterEnds = false }: LaneOptions,
  signal: AbortSignal,
): Promise<void> {
  const book = new MomentBook(spacingMs);
  const standing = new Standing(course);
  try {
    let waiting = longestFirst(trials);
    let prelude = meanwhile;
    while (waiting.length > 0) {
      waiting = await runBatches(batchesOf(waiting, lanes), course, { book, lanes, prelude, standing }, signal);
      prelude = () => standing.removeEnded();
    }
  } catch (error) {
    await standing.end('remove');
    throw error;
  }
  await standing.end(clusterEnds ? 'leave' : 'remove');
}

const batchesOf = (trials: readonly TrialRequest[], size: number): readonly (readonly TrialRequest[])[] =>
  Array.from({ length: Math.ceil(trials.length / size) }, (_, index) => trials.slice(index * size, (index + 1) * size));

/** The longest first leaves the lanes' ends closest together (Graham, "Bounds on Multiprocessing Timing Anomalies", 1969). */
const longestFirst = (trials: readonly TrialRequest[]): readonly TrialRequest[] =>
  trials.toSorted((a, b) => floorOf(b) - floorOf(a) || a.repeat - b.repeat);
const floorOf = ({ planned, conditions }: TrialRequest) => trialFloorSeconds(planned.scenario, conditions);

interface Sharing {
  readonly book: MomentBook;
  readonly lanes: number;
  readonly standing: Standing;
  /** Is over before anything is measured. */
  readonly prelude: (() => Promise<void>) | undefined;
}

/**
 * Gives the trials that were disturbed, to be measured again.
 * @throws what ends the run as a whole; workloads may still stand
 */
async function runBatches(
  batches: readonly (readonly TrialRequest[])[],
  course: LaneCourse,
  { book, lanes, standing, prelude }: Sharing,
  signal: AbortSignal,
): Promise<readonly TrialRequest[]> {
  const again: TrialRequest[] = [];
  const failing = new AbortController();
  const limited = AbortSignal.any([signal, failing.signal]);
  // every trial of every lane listens, in each of its waits
  setMaxListeners(0, limited);
  const guard = guardOf(failing);
  const isOff = (trial: TrialRequest) => limited.aborted || course.isPointless(trial);
  const deployment = pLimit(deployments);
  const lane = pLimit(lanes);

  const deploy = (trial: TrialRequest) =>
    deployment(async () => {
      const workload = await guard(() => (isOff(trial) ? undefined : course.deploy(trial, limited)));
      if (workload !== undefined) standing.add(workload);
      return workload;
    });
  /** Waits for a time when no trial has a critical moment, and exchanges what is over for a batch. */
  const exchange = async (batch: readonly TrialRequest[]) => {
    const dueMs = book.reserve([{ fromMs: 0, toMs: exchangeMs }], performance.now());
    await sleep(dueMs - performance.now(), undefined, { signal: limited });
    const deploying = batch.map(deploy);
    await Promise.all([...deploying, standing.removeEnded()]);
    return deploying;
  };
  const measure = async (trial: DeployedTrial, calm: Promise<unknown>, onBooked: () => void) => {
    const bookTrigger: TrialHost['bookTrigger'] = async (moments, earliestMs) => {
      await calm;
      const dueMs = book.reserve(moments, Math.max(earliestMs, performance.now()));
      onBooked();
      return dueMs;
    };
    const next = await guard(() => course.run(trial, bookTrigger, limited));
    standing.ended(trial);
    if (next !== undefined) again.push(next);
  };

  const measuring: Promise<void>[] = [];
  let allBooked: Promise<unknown> = Promise.resolve();
  for (const [index, batch] of batches.entries()) {
    await allBooked;
    const deploying = index === 0 ? batch.map(deploy) : ((await guard(() => exchange(batch))) ?? []);
    // the first batch's flows are opened while others of it are deployed; no trigger comes before all of that is over
    const calm = Promise.all([...deploying, guard(() => (index === 0 ? prelude?.() : undefined))]);
    allBooked = Promise.all(
      deploying.map((workload) => {
        const booked = milestone();
        const measured = lane(async () => {
          const trial = await workload;
          if (trial !== undefined && !isOff(trial.request)) await measure(trial, calm, booked.reach);
        });
        measuring.push(measured.finally(booked.reach));
        return booked.reached;
      }),
    );
  }
  await Promise.all(measuring);
  limited.throwIfAborted();
  return again;
}

/** Something that is waited for, and may be reached more than once. */
function milestone() {
  let reach!: () => void;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  return { reach, reached };
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
