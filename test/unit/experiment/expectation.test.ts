import { expect, test } from 'vitest';
import { measured, notMeasured } from '../../../src/domain/measured.ts';
import { unexpectedIn } from '../../../src/experiment/expectation.ts';
import { scenarios } from '../../../src/scenarios/index.ts';
import { flowOf, severedByRst, trialOf } from '../../fixtures/trial-report.ts';

const at = { tMs: 45, precision: { kind: 'exact' } } as const;

test('a trial that ends as its scenario expects has nothing unexpected', () => {
  expect(unexpectedIn(trialOf())).toEqual([]);
});

test('one TCP flow in ten that ends by another mechanism makes the trial unexpected', () => {
  const flows = [
    ...Array.from({ length: 9 }, () => flowOf(severedByRst(45))),
    flowOf({ kind: 'severed', by: 'unannounced-fin', at }),
  ];
  expect(unexpectedIn(trialOf({ flows }))).toEqual([
    '1 TCP flows ended as severed (unannounced-fin); expected severed (rst)',
  ]);
});

test('UDP flows don’t decide: their fate is what the experiment is to find', () => {
  const udp = flowOf({ kind: 'severed', by: 'rehomed', at }, { id: 'udp-1', protocol: 'udp' });
  expect(unexpectedIn(trialOf({ flows: [flowOf(severedByRst(45)), udp] }))).toEqual([]);
});

test('a drained flow where severance is expected, and the wrong exit code, are each said', () => {
  const trial = trialOf({
    scenario: scenarios.get('ignore'),
    flows: [flowOf({ kind: 'drained-clean-close', at })],
    container: measured({ exitCode: 0, signal: null, reason: null }),
  });
  expect(unexpectedIn(trial)).toEqual([
    '1 TCP flows ended as drained-clean-close; expected severed (rst or unannounced-fin)',
    'exit code 0; expected 137',
  ]);
});

test('an exit code that was not measured is not taken for the expected one', () => {
  expect(unexpectedIn(trialOf({ container: notMeasured('the watch was cut') }))).toEqual([
    'the exit code was not measured: the watch was cut; expected 0',
  ]);
});
