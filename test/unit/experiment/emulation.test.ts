import { expect, test } from 'vitest';
import { measured, notMeasured } from '../../../src/domain/measured.ts';
import { representativeMetrics } from '../../../src/experiment/emulation.ts';

const metrics = {
  known: measured({ value: 3, precision: 'exact' as const }),
  unknown: notMeasured('nothing was observed'),
};

test('numbers of nodes that are emulated in software go into no statistic, and what was unknown keeps its reason', () => {
  expect(representativeMetrics({ emulated: true }, metrics)).toEqual({
    known: notMeasured('the nodes are emulated in software: their times are not representative'),
    unknown: metrics.unknown,
  });
});

test.each([{}, { emulated: false }])('numbers of other nodes (%j) stay', (environment) => {
  expect(representativeMetrics(environment, metrics)).toEqual(metrics);
});
