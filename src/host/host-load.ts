import type { HostLoad } from '../domain/host-load.ts';
import { loadOver, type LoadSample } from './load-samples.ts';
import { readCpuPressure, readStolen } from './proc-counters.ts';

/** Both files together are read in some 50 microseconds. */
const everyMs = 50;
/** Longer than any trial: the longest grace period is an hour. */
const keptMs = 2 * 60 * 60 * 1000;

/** Samples this machine's counters of pressure and stolen time. A late sample widens a span, and falsifies nothing. */
export function watchHostLoad(): HostLoad {
  const samples: LoadSample[] = [];
  const sample = () => {
    samples.push({ atNs: process.hrtime.bigint(), waitedUs: readCpuPressure(), stolenMs: readStolen() });
    if (samples.length > keptMs / everyMs) samples.splice(0, samples.length / 2);
  };
  sample();
  const timer = setInterval(sample, everyMs);
  timer.unref();
  return {
    over(fromNs, toNs) {
      sample();
      return loadOver(samples, fromNs, toNs);
    },
    [Symbol.dispose]: () => {
      clearInterval(timer);
    },
  };
}
