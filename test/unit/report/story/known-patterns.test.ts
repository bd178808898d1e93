import { describe, expect, test } from 'vitest';
import { measured } from '../../../../src/domain/measured.ts';
import type { Trial } from '../../../../src/domain/trial.ts';
import type { TrialEvidence } from '../../../../src/domain/trial-evidence.ts';
import { readReport } from '../../../../src/report/report-file.ts';
import { knownPatterns } from '../../../../src/report/story/known-patterns.ts';
import { exampleEvidence } from '../../../fixtures/trial-evidence.ts';
import {
  drainedTrial,
  emptyTrial,
  event,
  exact,
  flow,
  pod,
  receipt,
  refused,
  rehomed,
  successor,
  trialWith,
} from '../../metrics/example-trial.ts';

const matched = (trial: Trial) => knownPatterns.filter(({ matches }) => matches(trial)).map(({ name }) => name);
const seen = (changes: Partial<TrialEvidence>) => measured({ ...exampleEvidence, ...changes });
const arm = (proxyMode: string): Pick<Trial, 'arm'> => ({ arm: { ...emptyTrial.arm, proxyMode } });
const successorReady = event('endpoint-ready', receipt(1_500), { pod: successor });
const exits = (tMs: number) => event('probe-exiting', exact(tMs), { pod, exitCode: 0 });

test.each(knownPatterns.map((pattern) => [pattern.name, pattern] as const))(
  '%s cites at least one public issue or pull request, and does not match a trial that shows nothing',
  (_, pattern) => {
    expect(pattern.references.length).toBeGreaterThan(0);
    for (const { repository, number } of pattern.references)
      expect(`${repository}#${number}`).toMatch(/^[\w-]+\/[\w-]+#\d+$/);
    expect(pattern.matches(emptyTrial)).toBe(false);
  },
);

describe('UDP entries cleared while the pod served', () => {
  test('is what a drained trial shows whose flows were moved before the exit', () => {
    expect(matched(drainedTrial)).toContain('udp-cleared-while-serving');
  });

  test('is not claimed where conntrack was not observed, nor where the pod had ended before', () => {
    expect(matched({ ...drainedTrial, evidence: emptyTrial.evidence })).not.toContain('udp-cleared-while-serving');
    const timeline = [exits(80)];
    expect(matched({ ...drainedTrial, timeline })).not.toContain('udp-cleared-while-serving');
  });
});

describe('UDP entries kept without endpoints', () => {
  const alive = {
    cause: 'stale-entry-black-hole',
    evidence: [{ kind: 'entry-alive', backend: '10.244.1.2' }],
  } as const;
  const flows = [{ ...refused(25_426), cause: { ...alive, disagreements: [] } }];
  const kept = trialWith({
    timeline: [event('endpoint-removed', receipt(25_300), { pod })],
    flows,
    evidence: seen({ conntrack: measured({ entries: 1, cleared: [] }) }),
  });

  test('is what a scaled-down trial shows whose entries outlived the endpoint', () => {
    expect(matched(kept)).toEqual(['udp-entries-kept-without-endpoints']);
  });

  test('is not claimed where another pod came, where entries were cleared, or where nobody looked', () => {
    expect(matched({ ...kept, timeline: [...kept.timeline, successorReady] })).toEqual([]);
    expect(matched({ ...kept, evidence: seen({}) })).toEqual([]);
    expect(matched({ ...kept, evidence: emptyTrial.evidence })).toEqual([]);
    // refused by the pod itself while it was still there
    const early = flows.map((one) => ({ ...one, cause: { ...one.cause, cause: 'pod-socket-closed' as const } }));
    expect(matched({ ...kept, flows: early })).toEqual([]);
  });
});

test('new connections to a stopped pod: rules led there after the exit, and connections failed', () => {
  const late = { ...drainedTrial, timeline: [exits(80)] };
  expect(matched(late)).toContain('new-connections-to-a-stopped-pod');
  expect(matched({ ...late, timeline: [exits(2_000)] })).not.toContain('new-connections-to-a-stopped-pod');
  expect(matched({ ...late, newConnections: emptyTrial.newConnections })).not.toContain(
    'new-connections-to-a-stopped-pod',
  );
});

test('TCP outlives its endpoint in the committed drain, and not where Cilium stands in for kube-proxy', async () => {
  const { trial } = await readReport('docs/results/standard-kind-v1.34.0/trials/drain.iptables/03.json');
  expect(matched(trial)).toEqual(['tcp-outlives-its-endpoint']);
  expect(matched({ ...trial, arm: { ...trial.arm, proxyMode: 'cilium' } })).not.toContain('tcp-outlives-its-endpoint');
});

test('UDP silence beside a successor is IPVS’s, in mode ipvs only', () => {
  const flows = [flow('udp', { kind: 'severed', by: 'silence', at: exact(25_100) })];
  const trial = { timeline: [successorReady], flows };
  expect(matched(trialWith({ ...trial, ...arm('ipvs') }))).toEqual(['ipvs-udp-connections-outlive-their-server']);
  expect(matched(trialWith({ ...trial, ...arm('iptables') }))).toEqual([]);
});

test('Cilium drains UDP: the flow stayed to the exit, though another pod was ready', () => {
  const timeline = [successorReady, exits(25_045)];
  const stayed = trialWith({ timeline, flows: [rehomed(25_060)], ...arm('cilium') });
  expect(matched(stayed)).toEqual(['cilium-drains-udp']);
  expect(matched({ ...stayed, flows: [rehomed(2_400)] })).toEqual([]);
});
