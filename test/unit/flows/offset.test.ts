import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OffsetEstimator } from '../../../src/flows/offset.ts';

const ns = (max: bigint) => fc.bigInt({ min: 0n, max });

test('the bounds contain the true offset, whatever the delays each way, and count the exchanges', () => {
  const exchange = fc.record({ sentNs: ns(10n ** 15n), outNs: ns(10n ** 9n), backNs: ns(10n ** 9n) });
  fc.assert(
    fc.property(fc.bigInt(), fc.array(exchange, { minLength: 1 }), (offsetNs, exchanges) => {
      const estimator = new OffsetEstimator();
      for (const { sentNs, outNs, backNs } of exchanges) {
        estimator.add('pod-a/00000001', sentNs + outNs + offsetNs, sentNs, sentNs + outNs + backNs);
      }
      const bounds = estimator.bounds();
      expect(bounds?.lowNs).toBeLessThanOrEqual(offsetNs);
      expect(bounds?.highNs).toBeGreaterThanOrEqual(offsetNs);
      expect(bounds?.exchanges).toBe(exchanges.length);
    }),
  );
});

test('the quickest way out and the quickest way back make the bounds', () => {
  const estimator = new OffsetEstimator();
  estimator.add('pod-a/00000001', 1_010n, 0n, 100n);
  estimator.add('pod-a/00000001', 2_095n, 1_000n, 1_100n);
  expect(estimator.bounds()).toEqual({ lowNs: 995n, highNs: 1_010n, exchanges: 2 });
});

test('without an answer there are no bounds, and none for identities whose clocks may differ', () => {
  const estimator = new OffsetEstimator();
  expect(estimator.bounds()).toBeNull();
  estimator.add('pod-a/00000001', 50n, 0n, 100n);
  estimator.add('pod-b/00000002', 9_050n, 0n, 100n);
  expect(estimator.bounds()).toBeNull();
});
