import type { Plan } from '../experiment/plan.ts';

/**
 * What `standard` took on two cores at one trial at a time, a cluster a scenario: its trials beside their waiting, and
 * between its clusters. In five lanes on one cluster it took a tenth less than this says
 * (docs/results/standard-kind-v1.34.0).
 */
const seen = { secondsATrial: 8.4, secondsACluster: 63 } as const;

/**
 * About how long a plan takes on kind clusters, in seconds, before anything is known of the machine: the waiting, what a
 * trial and a cluster took where it was seen (median), and nothing for what is skipped.
 */
export function estimateSeconds({ groups, trials, floorSeconds, isolation }: Plan): number {
  const clusters = groups.filter(({ arms }) => arms.some(({ skip }) => skip === null)).length;
  return (floorSeconds + trials * seen.secondsATrial) / isolation.lanes + clusters * seen.secondsACluster;
}
