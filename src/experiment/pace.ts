import { trialFloorSeconds, type Plan, type PlannedArm } from './plan.ts';

/** How far a run is, and how long it still takes, from its own pace over the waiting that was planned. */
export interface Pace {
  trialDone(planned: PlannedArm): void;
  state(): { readonly done: number; readonly planned: number; readonly remainingSeconds: number };
}

export function createPace(plan: Plan, alreadyDone: number): Pace {
  const started = performance.now();
  let done = alreadyDone;
  let doneFloor = 0;
  return {
    trialDone({ scenario }) {
      done += 1;
      doneFloor += trialFloorSeconds(scenario, plan.conditions);
    },
    state() {
      const perFloorSecond = (performance.now() - started) / 1000 / Math.max(doneFloor, 1);
      const remainingFloor = (plan.floorSeconds * Math.max(plan.trials - done, 0)) / Math.max(plan.trials, 1);
      return { done, planned: plan.trials, remainingSeconds: remainingFloor * perFloorSecond };
    },
  };
}
