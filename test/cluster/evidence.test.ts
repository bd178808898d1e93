import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstEvent } from '../../src/domain/event.ts';
import type { Flow } from '../../src/domain/flow.ts';
import { valueOf } from '../../src/domain/measured.ts';
import type { TimelinePoint } from '../../src/domain/time.ts';
import type { TrialReport } from '../../src/domain/trial.ts';
import type { TrialEvidence } from '../../src/domain/trial-evidence.ts';
import { openRunFolder } from '../../src/report/store.ts';
import { environment, lackOf, nodeImage, titled } from './prerequisites.ts';

const scenarios = ['exit-now', 'drain', 'drain-scale'] as const;
const nodeHas = (program: string) =>
  spawnSync('docker', ['run', '--rm', '--entrypoint', 'which', nodeImage, program]).status === 0;
const earliestMs = ({ tMs, precision }: TimelinePoint) => tMs - (precision.kind === 'bounded' ? precision.earlyMs : 0);
const latestMs = ({ tMs, precision }: TimelinePoint) => tMs + (precision.kind === 'bounded' ? precision.lateMs : 0);
const lack =
  lackOf('docker', 'node image', 'kind') ??
  ['conntrack', 'tcpdump', 'nft']
    .map((name) => (nodeHas(name) ? undefined : `the node image has no ${name}`))
    .find(Boolean);

describe.skipIf(lack !== undefined).each(['iptables', 'nftables'])(titled('evidence under %s', lack), (proxyMode) => {
  const folder = mkdtempSync(join(tmpdir(), 'drainwatch-evidence-test-'));
  const reports = new Map<string, TrialReport>();

  beforeAll(async () => {
    const args = ['run', '--matrix', 'quick', '--provider', 'kind', '--node-image', nodeImage];
    const factors = ['--scenarios', scenarios.join(','), '--proxy-modes', proxyMode, '--concurrency', '2'];
    const command = [...args, ...factors, '--evidence', '--keep-evidence', '-o', join(folder, 'run')];
    const outcome = await execa(process.execPath, ['build/bundle/cli.js', ...command], {
      reject: false,
      stdin: 'ignore',
      env: environment,
    });
    const run = await openRunFolder(join(folder, 'run'));
    for await (const report of run.readTrials()) reports.set(report.trial.arm.scenario, report);
    expect([...reports.keys()].toSorted(), outcome.stderr).toEqual([...scenarios].toSorted());
  }, 900_000);
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const trialOf = (scenario: string) => reports.get(scenario)?.trial ?? expect.fail(`no trial of ${scenario}`);
  const evidenceOf = (scenario: string): TrialEvidence =>
    valueOf(trialOf(scenario).evidence) ?? expect.fail('no evidence was collected');
  const severed = (scenario: string): readonly Flow[] =>
    trialOf(scenario).flows.filter(({ outcome }) => outcome.kind === 'severed');

  test.each(scenarios)('%s: every observer ran and told what it cost', (scenario) => {
    const { costs } = evidenceOf(scenario);
    expect(Object.entries(evidenceOf(scenario)).filter(([, { status }]) => status !== 'measured')).toEqual([]);
    expect(Object.keys(valueOf(costs) ?? {}).toSorted()).toEqual(['conntrack', 'nft', 'tcpdump']);
  });

  test.each(scenarios)(
    '%s: the runtime was asked, signalled the program, and saw it end as the API server was told',
    (scenario) => {
      const { timeline, pod, container } = trialOf(scenario);
      const steps = valueOf(evidenceOf(scenario).runtime) ?? [];
      expect(steps.map(({ step }) => step)).toEqual(['stop-requested', 'signal-sent', 'exited', 'stop-answered']);
      expect(steps[0]).toMatchObject({ gracePeriodSeconds: trialOf(scenario).conditions.gracePeriodSeconds });
      expect(steps[1]).toMatchObject({ signal: 'SIGTERM' });
      expect(steps[2]).toMatchObject({ exitCode: valueOf(container)?.exitCode });
      const [asked, signalled, ended] = steps.map(({ at }) => at);
      const times = [
        firstEvent(timeline, 'trigger-issued')?.at,
        asked,
        signalled,
        firstEvent(timeline, 'sigterm-received', pod)?.at,
        ended,
      ].map((at) => at ?? expect.fail('a step is missing'));
      // each may have come before the next one, by what is known of both
      expect(times.slice(1).map((at, index) => earliestMs(times[index] ?? at) <= latestMs(at))).toEqual(
        Array(4).fill(true),
      );
    },
  );

  test.each(scenarios)('%s: kube-proxy counted the writing of its rules', (scenario) => {
    expect(valueOf(evidenceOf(scenario).kubeProxy)?.syncs.count).toBeGreaterThan(0);
  });

  test('drain: kube-proxy counted as many deleted entries as flows were re-homed, or more', () => {
    expect(valueOf(evidenceOf('drain').kubeProxy)?.entriesDeleted).toBeGreaterThanOrEqual(10);
  });

  test('drain: every UDP flow was cleared by kube-proxy and re-homed', () => {
    const flows = severed('drain').filter(({ protocol }) => protocol === 'udp');
    expect(flows).toHaveLength(10);
    expect(new Set(flows.map(({ cause }) => cause?.cause))).toEqual(new Set(['conntrack-cleared-rehomed']));
    const by = flows
      .flatMap(({ cause }) => cause?.evidence ?? [])
      .flatMap((seen) => (seen.kind === 'entry-destroyed' ? [seen.by] : []));
    expect(by).toHaveLength(10);
    expect(new Set(by.map(({ kind }) => kind))).toEqual(new Set(['user-space']));
  });

  test('drain-scale: every flow that was refused shows the packet that told of it, and who sent it', () => {
    expect(severed('drain-scale')).toHaveLength(10);
    // a kernel says unreachable to one address so often only (icmp(7), icmp_ratelimit): some flows just fall silent
    const refused = severed('drain-scale').filter(
      ({ outcome }) => outcome.kind === 'severed' && outcome.by === 'icmp-unreachable',
    );
    expect(refused).not.toEqual([]);
    const senders = refused.map(({ cause }) =>
      cause?.evidence.flatMap((seen) => (seen.kind === 'packet' ? [seen.sender] : [])),
    );
    expect(senders.filter((sender) => sender?.length !== 1)).toEqual([]);
    expect(senders.flat()).toContain('pod');
  });

  test.each(scenarios)('%s: every flow that was cut off has a cause, with evidence', (scenario) => {
    const undecided = severed(scenario).filter(
      ({ cause }) => cause === null || cause.cause === 'unknown' || cause.evidence.length === 0,
    );
    expect(undecided).toEqual([]);
  });

  test.each(scenarios)('%s: client, packets and connection tracking agree on the order', (scenario) => {
    const disagreements = trialOf(scenario).flows.flatMap(({ id, cause }) =>
      (cause?.disagreements ?? []).map((disagreement) => ({ id, ...disagreement })),
    );
    expect(disagreements).toEqual([]);
  });

  test.each(scenarios)('%s: the rules leave the pod, for both protocols, after the trigger', (scenario) => {
    const left = (valueOf(evidenceOf(scenario).rules) ?? []).filter(({ change }) => change === 'pod-unreachable');
    expect(left.map(({ protocol }) => protocol).toSorted()).toEqual(['tcp', 'udp']);
    expect(left.filter(({ at }) => at.tMs <= 0)).toEqual([]);
  });

  test.each(scenarios)('%s: what the API server wrote comes before a watch told of it', (scenario) => {
    const told = trialOf(scenario).timeline.flatMap(({ name, at, committed }) =>
      committed === undefined ? [] : [{ name, afterMs: at.tMs - committed.at.tMs }],
    );
    expect(told.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['pod-terminating', 'endpoint-not-ready', 'endpoint-removed']),
    );
    // a commit's bound is the end of its answer, which a watch may be told a little before
    expect(told.filter(({ afterMs }) => afterMs < -50)).toEqual([]);
  });

  test('what was captured is kept where that was asked for', () => {
    const kept = readdirSync(join(folder, 'run', 'evidence', `drain.${proxyMode}`, '01'));
    expect(kept).toEqual(expect.arrayContaining(['packets.pcap', 'conntrack-udp.xml', 'audit.ndjson', 'rules.ndjson']));
  });
});
