import type { Metric } from '../domain/metric.ts';
import { rulesChanged } from './evidence-times.ts';

export const triggerToRulesChanged: Metric = {
  name: 'trigger-to-rules-changed',
  label: 'rules lead away',
  description:
    'From the trigger to when a monitor of the node told that its rules no longer lead to the pod, in TCP and UDP.',
  unit: 'ms',
  better: 'neither',
  publishedAs: null,
  needs: 'evidence',
  measure: rulesChanged,
};
