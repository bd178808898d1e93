import { valueOf } from '../../domain/measured.ts';
import { observed } from '../../domain/observed-evidence.ts';
import type { Trial } from '../../domain/trial.ts';
import type { PlacedRuntimeStep } from '../../domain/trial-evidence.ts';
import type { StoryLine } from './story.ts';

/** What the container runtime did to end the pod's container. */
export function runtimeLines(trial: Trial): readonly StoryLine[] {
  return (valueOf(observed(trial, 'runtime')) ?? [])
    .filter(({ at }) => at.tMs >= 0)
    .map((step) => ({ at: step.at, what: words(step), seenBy: 'the container runtime’s log' }));
}

function words(step: PlacedRuntimeStep): string {
  switch (step.step) {
    case 'stop-requested':
      return `the kubelet asks the runtime to stop the container within ${step.gracePeriodSeconds} s`;
    case 'signal-sent':
      return `the runtime sends ${step.signal}`;
    case 'kill-sent':
      return 'the grace period is over: the runtime sends SIGKILL';
    case 'exited':
      return `the container’s process has ended with ${step.exitCode}`;
    case 'stop-answered':
      return 'the runtime tells the kubelet that the container has stopped';
    default:
      return step satisfies never;
  }
}
