import { levelsChart } from './levels.ts';

export const kubernetesVersions = levelsChart(
  'kubernetes-version',
  'kubernetes-versions',
  'Kubernetes versions side by side',
);
