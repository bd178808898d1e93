import type { Metric } from '../domain/metric.ts';
import { notMeasured, type Measured } from '../domain/measured.ts';
import type { MetricSample, Trial } from '../domain/trial.ts';
import { firstRehome, lastEnd } from './flow-times.ts';
import { elapsed, timeOf } from './observed.ts';

export const drainLeftAtUdpRehome: Metric = {
  name: 'drain-left-at-udp-rehome',
  label: 'drain left at UDP re-home',
  description:
    'How long the old pod went on serving after the first UDP flow was taken from it, up to its exit or, where that was not seen, the last TCP end.',
  unit: 'ms',
  better: 'lower',
  publishedAs: null,
  measure(trial) {
    const left = elapsed(firstRehome(trial, 'udp'), endOfService(trial));
    if (left.status === 'not-measured' || left.value.value > 0) return left;
    return notMeasured('UDP flows were re-homed only after the old pod had stopped serving');
  },
};

function endOfService(trial: Trial): Measured<MetricSample> {
  const exit = timeOf(trial, 'probe-exiting');
  if (exit.status === 'measured') return exit;
  const lastTcpEnd = lastEnd(trial, 'tcp');
  return lastTcpEnd.status === 'measured' ? lastTcpEnd : notMeasured(`${exit.reason}; ${lastTcpEnd.reason}`);
}
