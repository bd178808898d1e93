import { measured, notMeasured, type Measured } from '../domain/measured.ts';
import type { Metric } from '../domain/metric.ts';
import { observed } from '../domain/observed-evidence.ts';
import type { MetricSample, Trial } from '../domain/trial.ts';

export const clearingToUdpRehome: Metric = {
  name: 'clearing-to-udp-rehome',
  label: 'clearing → UDP re-home told',
  description:
    'From the loss of a UDP flow’s conntrack entry to the client’s stamp of another pod’s first answer, the longest of the trial; the flow’s next datagram lies between.',
  unit: 'ms',
  better: 'neither',
  publishedAs: null,
  needs: 'evidence',
  measure,
};

function measure(trial: Trial): Measured<MetricSample> {
  const conntrack = observed(trial, 'conntrack');
  if (conntrack.status === 'not-measured') return conntrack;
  const delays = trial.flows.flatMap(({ protocol, cause, rehomed }) => {
    if (protocol !== 'udp' || rehomed === null || cause?.cause !== 'conntrack-cleared-rehomed') return [];
    return cause.evidence.flatMap((seen) =>
      seen.kind === 'entry-destroyed' && seen.tMs !== null ? [rehomed.at.tMs - seen.tMs] : [],
    );
  });
  return delays.length === 0
    ? notMeasured('no UDP flow was re-homed by the loss of its entry')
    : measured({ value: Math.max(...delays), precision: 'bounded' });
}
