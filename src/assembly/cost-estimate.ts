import type { Plan } from '../experiment/plan.ts';

/** What docs/results/standard-kind-v1.34.0 took on two cores: its trials beside their waiting, and between its clusters. */
const seen = { secondsATrial: 8.4, secondsACluster: 63 } as const;

/**
 * About how long a plan takes on kind clusters, in seconds, before anything is known of the machine: the waiting, what a
 * trial and a cluster took where it was seen (median), and nothing for what is skipped.
 */
export function estimateSeconds({ groups, trials, floorSeconds, isolation }: Plan): number {
  const clusters = groups.filter(({ arms }) => arms.some(({ skip }) => skip === null)).length;
  return (floorSeconds + trials * seen.secondsATrial) / isolation.lanes + clusters * seen.secondsACluster;
}
