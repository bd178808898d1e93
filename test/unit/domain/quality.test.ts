import { describe, expect, test } from 'vitest';
import { measured, notMeasured } from '../../../src/domain/measured.ts';
import { disturbancesIn, qualityLimits, type MomentQuality } from '../../../src/domain/quality.ts';
import { qualityOf } from '../../../src/experiment/quality.ts';

const calm: MomentQuality = {
  moment: 'trigger',
  fromMs: 0,
  toMs: 2000,
  eventLoopDelayMs: measured(1),
  cpuPressure: measured(0.2),
  stolenMs: measured(0),
};
const of = (changes: Partial<MomentQuality>) =>
  disturbancesIn(measured([calm, { ...calm, moment: 'end', ...changes }]));

describe('a trial', () => {
  test('in calm moments is not disturbed', () => {
    expect(of({})).toEqual([]);
  });

  test.each([
    [{ eventLoopDelayMs: measured(40) }, 'event-loop delay of 40 ms (at most 25) in the end moment'],
    [{ cpuPressure: measured(0.97) }, 'CPU pressure of 97 % (at most 90 %) in the end moment'],
    [{ stolenMs: measured(250) }, '250 ms of CPU time stolen (at most 100) in the end moment'],
  ])('with %j in a moment is disturbed, and says by what', (changes, reason) => {
    expect(of(changes)).toEqual([reason]);
  });

  test('at a limit is not beyond it', () => {
    const { eventLoopDelayMs, cpuPressure, stolenMs } = qualityLimits;
    expect(
      of({
        eventLoopDelayMs: measured(eventLoopDelayMs),
        cpuPressure: measured(cpuPressure),
        stolenMs: measured(stolenMs),
      }),
    ).toEqual([]);
  });

  test('is not disturbed by what was not measured', () => {
    expect(
      of({
        cpuPressure: notMeasured('no PSI'),
        eventLoopDelayMs: notMeasured('unseen'),
        stolenMs: notMeasured('no Linux'),
      }),
    ).toEqual([]);
    expect(disturbancesIn(notMeasured('an older report'))).toEqual([]);
  });
});

test('the event-loop delay of a moment is the greatest of the windows that it touches', () => {
  const delays = { startNs: 0n, windowNs: 1_000_000_000n, maxMs: [50, 1, 7, 2, 90] };
  const load = { over: () => ({ cpuPressure: measured(0), stolenMs: measured(0) }) };
  const moments = [{ moment: 'trigger', fromMs: 0, toMs: 1200 }] as const;
  // the trigger is at 1.5 s of the client's clock: its moment ends in the third window
  expect(qualityOf(moments, 1_500_000_000n, delays, load)[0]?.eventLoopDelayMs).toEqual(measured(7));
  expect(qualityOf(moments, 2_900_000_000n, delays, load)[0]?.eventLoopDelayMs).toEqual(measured(90));
  // a moment that came after the observation had closed
  expect(qualityOf(moments, 9_000_000_000n, delays, load)[0]?.eventLoopDelayMs.status).toBe('not-measured');
});
