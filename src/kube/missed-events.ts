import type { Unobservable } from '../domain/trial.ts';
import { endWasLost, type PodState } from './pod-state.ts';

/**
 * Events of a pod that no later state of it can tell any more, with the reason. Pure.
 *
 * @param interruption why the pods watch is not open, if it is not: a list then stands in for what it would have told
 */
export function missedPodEvents(
  before: PodState | undefined,
  after: PodState | undefined,
  interruption: string | undefined,
): Unobservable {
  if (after !== undefined && endWasLost(after)) return { 'container-terminated': lostContainer(after) };
  if (before === undefined || after !== undefined || interruption === undefined) return {};
  const reason = `the pods watch was interrupted (${interruption}), and the pod was gone when it was back`;
  return {
    ...(before.terminated === null && { 'container-terminated': reason }),
    ...(!before.terminating && { 'pod-terminating': reason }),
    ...(before.ready && { 'pod-not-ready': reason }),
  };
}

const lostContainer = ({ terminated }: PodState): string =>
  `the kubelet no longer found the container (${terminated?.reason ?? 'no reason'}): exit code ${terminated?.exitCode ?? 'none'} was filled in, not observed`;
