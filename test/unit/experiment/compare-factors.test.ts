import { expect, test } from 'vitest';
import type { Environment } from '../../../src/domain/environment.ts';
import { measured } from '../../../src/domain/measured.ts';
import { compareFactors } from '../../../src/experiment/compare-factors.ts';
import { createDigester } from '../../../src/experiment/trial-digest.ts';
import { environmentOf, matrixOf, reportOf } from '../../fixtures/trial-report.ts';
import { armAtLevel, rehomedDrain, versionArms } from '../report/level-examples.ts';

/** A run of one scenario under two modes, each with its environment. */
function compared(first: Partial<Environment>, second: Partial<Environment>) {
  const digest = createDigester();
  const modes = { iptables: first, cilium: second };
  const arms = Object.keys(modes).map((proxyMode) => armAtLevel('drain', { proxyMode }, rehomedDrain()));
  const trials = Object.values(modes).flatMap((environment, index) =>
    [1, 2].map((repeat) =>
      digest(reportOf(repeat, { environment: environmentOf(environment) }, { arm: arms[index]?.arm ?? never() })),
    ),
  );
  return compareFactors(arms, trials, matrixOf());
}

function never(): never {
  throw new Error('there is an arm for each environment');
}

test('what the levels differ in besides their factor is told, the factor itself is not', () => {
  const [comparison] = compared(
    { proxyMode: measured('iptables'), cni: measured('kindnet') },
    { proxyMode: measured('cilium'), cni: measured('cilium') },
  );
  expect(comparison?.alsoDiffer).toEqual(['CNI: kindnet (iptables) / cilium (cilium)']);
});

test('levels that were measured alike have nothing to tell', () => {
  expect(compared({}, {})[0]?.alsoDiffer).toEqual([]);
});

test('a run that varies two factors is compared by each', () => {
  expect(compareFactors(versionArms, [], matrixOf()).map(({ factor }) => factor)).toEqual([
    'proxy-mode',
    'kubernetes-version',
  ]);
});
