import { trialFloorSeconds, type Plan, type PlannedArm } from './plan.ts';

/** How far a run is, and how long it still takes: its own pace over the waiting that was planned, and its clusters. */
export interface Pace {
  /** A cluster took this long to come up. */
  clusterOpened(seconds: number): void;
  trialDone(planned: PlannedArm, seconds: number): void;
  /** `clustersLeft`: those that are still to be opened. */
  state(clustersLeft: number): { readonly done: number; readonly planned: number; readonly remainingSeconds: number };
}

export function createPace(plan: Plan, alreadyDone: number): Pace {
  let done = alreadyDone;
  const spent = { trialSeconds: 0, floorSeconds: 0, clusterSeconds: 0, clusters: 0 };
  return {
    clusterOpened(seconds) {
      spent.clusterSeconds += seconds;
      spent.clusters += 1;
    },
    trialDone({ scenario }, seconds) {
      done += 1;
      spent.trialSeconds += seconds;
      spent.floorSeconds += trialFloorSeconds(scenario, plan.conditions);
    },
    state(clustersLeft) {
      const perFloorSecond = spent.trialSeconds / Math.max(spent.floorSeconds, 1);
      const perCluster = spent.clusterSeconds / Math.max(spent.clusters, 1);
      const remainingFloor = (plan.floorSeconds * Math.max(plan.trials - done, 0)) / Math.max(plan.trials, 1);
      const lanes = Math.min(plan.isolation.lanes, Math.max(plan.trials - done, 1));
      const remainingSeconds = (remainingFloor * perFloorSecond) / lanes + clustersLeft * perCluster;
      return { done, planned: plan.trials, remainingSeconds };
    },
  };
}
