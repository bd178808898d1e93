import { describe, expect, test } from 'vitest';
import { measured } from '../../../src/domain/measured.ts';
import { loadOver, type LoadSample } from '../../../src/host/load-samples.ts';
import { parseCpuPressure, parseStolen } from '../../../src/host/proc-counters.ts';

const sample = (ms: number, waitedUs: number | null = 0, stolenMs: number | null = 0): LoadSample => ({
  atNs: BigInt(ms) * 1_000_000n,
  waitedUs,
  stolenMs,
});
const ns = (ms: number) => BigInt(ms) * 1_000_000n;

describe('the load over a span', () => {
  const samples = [sample(0), sample(100, 20_000, 10), sample(200, 70_000, 10), sample(300, 70_000, 40)];

  test('is what the counters grew by, between the samples around it', () => {
    expect(loadOver(samples, ns(110), ns(190))).toEqual({ cpuPressure: measured(0.5), stolenMs: measured(0) });
    expect(loadOver(samples, ns(50), ns(250))).toEqual({
      cpuPressure: measured(70_000 / 300_000),
      stolenMs: measured(40),
    });
  });

  test.each([
    [-50, 100],
    [200, 400],
  ])('from %i to %i ms, which was not watched whole, is not measured', (from, to) => {
    expect(loadOver(samples, ns(from), ns(to)).cpuPressure.status).toBe('not-measured');
  });

  test('is not measured where the kernel has no such counter', () => {
    expect(loadOver([sample(0, null, 0), sample(100, null, 5)], ns(0), ns(100))).toEqual({
      cpuPressure: { status: 'not-measured', reason: 'the kernel tells no CPU pressure' },
      stolenMs: measured(5),
    });
  });
});

test('CPU pressure is the total of the line `some`', () => {
  const text = 'some avg10=0.00 avg60=0.10 avg300=0.20 total=123456\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=99\n';
  expect(parseCpuPressure(text)).toBe(123_456);
  expect(parseCpuPressure('full avg10=0.00 avg60=0.00 avg300=0.00 total=99\n')).toBeNull();
});

test('stolen time is the eighth number of the line of all CPUs, in ticks of 10 ms', () => {
  expect(parseStolen('cpu  10 20 30 40 50 60 70 81 90 100\ncpu0 1 2 3 4 5 6 7 8 9 10\n')).toBe(810);
  expect(parseStolen('cpu0 1 2 3 4 5 6 7 8 9 10\n')).toBeNull();
});
