import type { Environment } from '../domain/environment.ts';
import { notMeasured } from '../domain/measured.ts';
import type { TrialReport } from '../domain/trial.ts';

const reason = 'the nodes are emulated in software: their times are not representative';

/** Keeps the numbers of emulated nodes out of every statistic; outcomes and states stay. */
export const representativeMetrics = (
  { emulated = false }: Pick<Environment, 'emulated'>,
  metrics: TrialReport['metrics'],
): TrialReport['metrics'] =>
  emulated
    ? Object.fromEntries(
        Object.entries(metrics).map(([name, value]) => [
          name,
          value.status === 'measured' ? notMeasured(reason) : value,
        ]),
      )
    : metrics;
