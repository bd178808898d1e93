import { describe, expect, test } from 'vitest';
import type { FlowOutcome } from '../../../src/domain/flow.ts';
import { measured, notMeasured } from '../../../src/domain/measured.ts';
import { inconclusiveIn, unexpectedIn } from '../../../src/experiment/expectation.ts';
import { scenarios } from '../../../src/scenarios/index.ts';
import { flowOf, severedByRst, trialOf } from '../../fixtures/trial-report.ts';
import { event, receipt } from '../metrics/example-trial.ts';

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
    '1 TCP flows ended as drained-clean-close; expected severed (rst or unannounced-fin), not before the grace period ends',
    'exit code 0; expected 137',
  ]);
});

describe('a pod that drains in vain, as its data plane sends its flows elsewhere,', () => {
  const expects = { tcp: { kind: 'severed', by: ['rst'], or: { kind: 'read-timeout' } }, exitCode: 0 } as const;
  const endingAs = (...outcomes: readonly FlowOutcome[]) =>
    trialOf({ scenario: { ...scenarios.get('drain'), expects }, flows: outcomes.map((outcome) => flowOf(outcome)) });

  test('is as expected where its flows are reset or time out', () => {
    expect(unexpectedIn(endingAs(severedByRst(2_182), { kind: 'read-timeout', at }))).toEqual([]);
  });

  test('is not where one is kept', () => {
    expect(unexpectedIn(endingAs(severedByRst(2_182), { kind: 'drained-clean-close', at }))).toEqual([
      '1 TCP flows ended as drained-clean-close; expected severed (rst) or read-timeout',
    ]);
  });
});

describe('what was not measured is inconclusive, and neither as expected nor otherwise:', () => {
  test('the exit code, with the reason', () => {
    const trial = trialOf({ container: notMeasured('the container was not seen to terminate') });
    expect(unexpectedIn(trial)).toEqual([]);
    expect(inconclusiveIn(trial)).toEqual([
      'the exit code was not measured: the container was not seen to terminate; expected 0',
    ]);
  });

  test('the exit code, with why the watch of pods was down', () => {
    const down = (resource: string, reason: string) => event('watch-interrupted', receipt(20), { resource, reason });
    const timeline = [down('endpointslices', 'closed'), down('pods', '410 Gone')];
    expect(inconclusiveIn(trialOf({ container: notMeasured('not seen'), timeline }))).toEqual([
      'the exit code was not measured: not seen; the watch of pods was interrupted (410 Gone); expected 0',
    ]);
  });

  test('the end of a TCP flow', () => {
    const flows = [flowOf(severedByRst(45)), flowOf({ kind: 'not-measured', reason: 'never answered' })];
    expect(unexpectedIn(trialOf({ flows }))).toEqual([]);
    expect(inconclusiveIn(trialOf({ flows }))).toEqual([
      'how 1 TCP flows ended was not measured: never answered; expected severed (rst)',
    ]);
  });

  test('nothing, where all was', () => {
    expect(inconclusiveIn(trialOf())).toEqual([]);
  });
});

describe('a workload that ignores SIGTERM', () => {
  const ignoring = (tMs: number, lateMs = 0) => {
    const end = { tMs, precision: { kind: 'bounded', earlyMs: 2, lateMs } } as const;
    return trialOf({
      scenario: scenarios.get('ignore'),
      flows: [flowOf({ kind: 'severed', by: 'rst', at: end })],
      container: measured({ exitCode: 137, signal: 9, reason: 'Error' }),
    });
  };

  test('is as expected when its flows end with the grace period', () => {
    expect(unexpectedIn(ignoring(30_055))).toEqual([]);
  });

  test('is not when they end before it, as after an out-of-memory kill, though the exit code is the same', () => {
    expect(unexpectedIn(ignoring(12_000))).toEqual([
      '1 TCP flows ended before the grace period, the first 12000 ms after the trigger; expected severed (rst or unannounced-fin), not before the grace period ends',
    ]);
  });

  test('is not blamed for an end that lies before it only within its bounds', () => {
    expect(unexpectedIn(ignoring(29_900, 150))).toEqual([]);
    expect(unexpectedIn(ignoring(29_900, 50))).toHaveLength(1);
  });

  test('is not blamed for two clocks that run 500 ppm off', () => {
    expect(unexpectedIn(ignoring(29_975))).toEqual([]);
  });
});

test('a UDP flow that fell silent while the client dropped answers on it unread is inconclusive, and others are not', () => {
  const silent = (id: string) => flowOf({ kind: 'severed', by: 'silence', at }, { id, protocol: 'udp' });
  const trial = trialOf({ flows: [flowOf(severedByRst(45)), silent('udp-1'), silent('udp-2')] });
  const dropping = (flows: readonly string[]) => ({
    ...trial,
    client: {
      ...trial.client,
      generator: {
        udpBeforeMark: { sent: 100, unanswered: 0 },
        skippedSends: 0,
        droppedAnswers: measured(flows.map((flow) => ({ flow, answers: 30 }))),
        udpBufferErrors: measured({ receive: 60, send: 0 }),
      },
    },
  });
  expect(inconclusiveIn(dropping(['udp-2', 'udp-3']))).toEqual([
    '1 UDP flows fell silent, and the client dropped 30 answers on them unread: their silence may be its own',
  ]);
  expect(inconclusiveIn(dropping([]))).toEqual([]);
  expect(inconclusiveIn(trial)).toEqual([]);
});
