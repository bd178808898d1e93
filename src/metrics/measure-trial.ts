import type { Measured } from '../domain/measured.ts';
import type { MetricSample, Trial } from '../domain/trial.ts';
import { metrics } from './index.ts';

/** Every registered metric of a trial, by name. What was not observed carries its reason. */
export const measureTrial = (trial: Trial): Readonly<Record<string, Measured<MetricSample>>> =>
  Object.fromEntries([...metrics].map((metric) => [metric.name, metric.measure(trial)]));
