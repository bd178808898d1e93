import { expect, test } from 'vitest';
import { ActionableError } from '../../../src/domain/errors.ts';
import { measured, notMeasured } from '../../../src/domain/measured.ts';
import type { TrialReport } from '../../../src/domain/trial.ts';
import { parseAggregate, parseTrialReport } from '../../../src/report/schema.ts';
import { exampleEvidence, written } from '../../fixtures/trial-evidence.ts';
import { bounded, emptyTrial, event, exact, flow, pod, receipt, rehomed } from '../metrics/example-trial.ts';
import { aggregateOf, all, armOf, reportOf } from './example-reports.ts';

const json = (value: unknown) => JSON.stringify(value);

function refusal(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof ActionableError && error.kind === 'input') return error.message;
    throw error;
  }
  throw new Error('the document was accepted');
}

/** Every kind of event, outcome and clock that the domain knows. */
const everything: TrialReport = reportOf({
  ...emptyTrial,
  clock: { relation: 'bounded', widthMs: 0.4, exchanges: 120, reason: 'the nodes run another kernel' },
  container: notMeasured('the watch was interrupted'),
  unobservable: { 'endpoint-removed': 'a plain process has no cluster' },
  scenario: {
    ...emptyTrial.scenario,
    expects: { tcp: { kind: 'severed', by: ['rst'], notBefore: 'grace-period' }, exitCode: 137 },
  },
  timeline: [
    event('trigger-issued', exact(0), { trigger: 'delete', pod }),
    event('trigger-accepted', receipt(3), { trigger: 'delete' }),
    event('sigterm-received', bounded(40), { pod }),
    event('readiness-withdrawn', exact(40), { pod }),
    event('close-announced', exact(41), { pod, connections: 10 }),
    event('probe-exiting', exact(42), { pod, exitCode: 0 }),
    event('sigkill-sent', exact(43), { pod }),
    event('process-exited', exact(44), { pod, exitCode: 137, signal: 9 }),
    event('pod-terminating', receipt(45), { pod }),
    event('pod-ready', receipt(46), { pod }),
    event('pod-not-ready', receipt(47), { pod }),
    event('container-terminated', receipt(48), { pod, exitCode: 0, signal: null, reason: null }),
    event('pod-deleted', receipt(49), { pod }),
    event('endpoint-ready', receipt(50), { pod }),
    event('endpoint-not-ready', receipt(51), { pod, serving: null, terminating: true }),
    written(event('endpoint-removed', receipt(52), { pod }), 2),
    event('flow-ended', exact(53), { flow: 'tcp-1' }),
    event('flow-rehomed', exact(54), { flow: 'udp-1', pod }),
    event('watch-interrupted', receipt(55), { resource: 'pods', reason: 'closed' }),
    event('watch-resumed', receipt(56), { resource: 'pods', gapMs: 12 }),
    event('observation-closed', exact(57), { reason: 'all-ended' }),
  ],
  evidence: measured(exampleEvidence),
  flows: [
    flow('tcp', { kind: 'drained-clean-close', at: exact(1) }),
    flow(
      'tcp',
      { kind: 'severed', at: bounded(1), by: 'unannounced-fin' },
      {
        errorCode: 'ECONNRESET',
        cause: {
          cause: 'sigkill',
          evidence: [
            { kind: 'packet', packet: 'fin', sender: 'pod', tMs: 2 },
            { kind: 'container-killed' },
            { kind: 'entry-alive', backend: '10.244.1.2' },
          ],
          disagreements: [
            { kind: 'told-before-packet', toldMs: 1, packetMs: 2 },
            { kind: 'answered-before-entry', answeredMs: 1, createdMs: 2 },
            { kind: 'created-before-destroyed', createdMs: 1, destroyedMs: 2 },
            { kind: 'no-such-packet', packet: 'rst' },
          ],
        },
      },
    ),
    rehomed(2),
    flow('tcp', { kind: 'read-timeout', at: exact(1) }),
    flow('udp', { kind: 'survived-observation-window' }, { rehomed: { to: 'other/1', at: exact(2) } }),
    flow('udp', { kind: 'not-measured', reason: 'never opened' }, { openedTo: null, lastSequence: null }),
  ],
});

test('a report that holds everything there is comes back from JSON as it was', () => {
  expect(parseTrialReport(json(everything), 'x.json')).toEqual(everything);
});

test('an aggregate comes back from JSON as it was', () => {
  const aggregate = aggregateOf({
    arms: [
      armOf('drain', { tcp: all('drained-clean-close'), udp: [], repeats: 1, values: { 'trigger-to-sigterm': [40] } }),
      ...aggregateOf().arms,
      {
        status: 'skipped',
        arm: { id: 'ignore.ipvs', scenario: 'ignore', proxyMode: 'ipvs', kubernetesVersion: 'v1.34.0' },
        label: 'ignores SIGTERM · delete',
        reason: 'no kernel module ip_vs',
        completeTrials: 0,
      },
    ],
    wallSeconds: notMeasured('resumed'),
    environment: measured(everything.environment),
  });
  expect(parseAggregate(json(aggregate), 'aggregate.json')).toEqual(aggregate);
});

const without = (field: 'startedAt' | 'flows') => ({
  ...everything,
  trial: Object.fromEntries(Object.entries(everything.trial).filter(([name]) => name !== field)),
});

test.each([
  ['of another version', { ...everything, schemaVersion: 2 }, 'schemaVersion is 2; expected: 1'],
  [
    'with an unknown field',
    { ...everything, verdict: 'fine' },
    'unknown field "verdict"; expected: only the fields schemaVersion,',
  ],
  ['without a time', without('startedAt'), 'trial.startedAt is missing; expected: an instant'],
  ['without its flows', without('flows'), 'trial.flows is missing; expected: an array'],
  [
    'with an unknown outcome',
    {
      ...everything,
      trial: { ...everything.trial, flows: [{ ...everything.trial.flows[0], outcome: { kind: 'fine' } }] },
    },
    'trial.flows[0].outcome.kind is',
  ],
  [
    'with an absence that has no reason',
    { ...everything, metrics: { 'trigger-to-sigterm': { status: 'not-measured', reason: '' } } },
    "metrics.trigger-to-sigterm.reason is ''; expected: a text that is not empty",
  ],
  [
    'with an absence that has a value',
    { ...everything, metrics: { 'trigger-to-sigterm': { status: 'not-measured', reason: 'unseen', value: 0 } } },
    'unknown field "value" in metrics.trigger-to-sigterm',
  ],
  [
    'with a null for a number',
    { ...everything, metrics: { a: { status: 'measured', value: { value: null, precision: 'exact' } } } },
    'metrics.a.value.value is null; expected: a number',
  ],
])('a report %s is refused in one line that names the file and the field', (_, report, message) => {
  const line = refusal(() => parseTrialReport(json(report), 'trials/a/01.json'));
  expect(line).toContain(`trials/a/01.json: ${message}`);
  expect(line).not.toContain('\n');
});

test('half a report is refused as what it is', () => {
  expect(refusal(() => parseTrialReport(json(everything).slice(0, 500), '01.json'))).toMatch(/^01\.json is not JSON: /);
});

test('a report from before time-outs and what could not be judged were stored still reads', () => {
  const { inconclusive, ...report } = everything;
  const { tcpReadTimeoutMs, udpSilenceMs, ...conditions } = report.trial.conditions;
  const earlier = { ...report, trial: { ...report.trial, conditions } };
  expect([inconclusive, tcpReadTimeoutMs, udpSilenceMs]).toEqual([[], 5_000, 1_000]);
  expect(parseTrialReport(json(earlier), 'earlier.json')).toEqual(everything);
});

test('evidence from before the runtime’s log and kube-proxy’s counts were read still reads, and says that it is older', () => {
  const { runtime, kubeProxy, ...before } = exampleEvidence;
  expect([runtime.status, kubeProxy.status]).toEqual(['measured', 'measured']);
  const earlier = { ...everything, trial: { ...everything.trial, evidence: measured(before) } };
  const older = notMeasured('the report is older than this measurement');
  expect(parseTrialReport(json(earlier), 'earlier.json').trial.evidence).toEqual(
    measured({ ...before, runtime: older, kubeProxy: older }),
  );
});
