import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

interface TimedTrial {
  readonly fromMs: number;
  readonly toMs: number;
  readonly phases: readonly { readonly phase: string; readonly fromMs: number; readonly toMs: number }[];
}

const { splitOf } = (await import(pathToFileURL(resolve('scripts/bench/matrix-time.mjs')).href)) as {
  splitOf: (trials: readonly TimedTrial[], wallSeconds?: number) => Readonly<Record<string, number>>;
};

/** Settles for half of its time and observes for the rest, t = 0 between them. */
const trial = (fromSeconds: number, toSeconds: number): TimedTrial => {
  const halfMs = ((toSeconds - fromSeconds) * 1000) / 2;
  return {
    fromMs: fromSeconds * 1000,
    toMs: toSeconds * 1000,
    phases: [
      { phase: 'settling', fromMs: -halfMs, toMs: 0 },
      { phase: 'observing', fromMs: 0, toMs: halfMs },
    ],
  };
};

test('trials one after the other are all on the critical path, with the time between them', () => {
  expect(splitOf([trial(0, 10), trial(12, 22)], 30)).toEqual({
    'whole run': 30,
    'clusters and summing up': 8,
    'first trial to last': 22,
    'all trials, settling': 10,
    'all trials, observing': 10,
    'critical path, settling': 10,
    'critical path, observing': 10,
    'critical path, waiting and removal between trials': 2,
  });
});

test('a trial that ran beside a longer one is not on the critical path', () => {
  expect(splitOf([trial(1, 5), trial(0, 10), trial(11, 21)])).toMatchObject({
    'all trials, settling': 12,
    'critical path, settling': 10,
    'critical path, waiting and removal between trials': 1,
  });
});
