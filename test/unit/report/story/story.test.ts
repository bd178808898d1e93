import { describe, expect, test } from 'vitest';
import { measured } from '../../../../src/domain/measured.ts';
import type { Trial } from '../../../../src/domain/trial.ts';
import { readReport } from '../../../../src/report/report-file.ts';
import { renderStory } from '../../../../src/report/story/render-story.ts';
import { tellTrial } from '../../../../src/report/story/story.ts';
import { exampleEvidence } from '../../../fixtures/trial-evidence.ts';
import {
  drainedTrial,
  emptyTrial,
  event,
  pod,
  receipt,
  reset,
  successor,
  trialWith,
} from '../../metrics/example-trial.ts';

const committed = async (arm: string) =>
  (await readReport(`docs/results/standard-kind-v1.34.0/trials/${arm}.iptables/03.json`)).trial;
const whatOf = (trial: Trial) => tellTrial(trial).lines.map(({ what }) => what);
const plain = (trial: Trial, width = 100) => renderStory(tellTrial(trial), { width, color: false });

describe.each(['exit-now', 'drain', 'ignore', 'drain-evict', 'drain-scale'])('a committed trial of %s', (arm) => {
  test('is told in the order of time, from the request on', async () => {
    const { lines } = tellTrial(await committed(arm));
    const times = lines.map(({ at }) => at.tMs);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(lines[0]?.what).toMatch(/^the request to \w+ goes out$/);
    expect(lines.map(({ what }) => what)).toContain('SIGTERM reaches the program');
  });

  test('says that no evidence was collected, and gives no cause', async () => {
    const story = tellTrial(await committed(arm));
    expect(story.causes).toEqual([]);
    expect(story.missing).toContainEqual(expect.stringMatching(/^evidence of the data plane: /));
  });
});

describe('flows', () => {
  test('that ended alike are one line, with the first and the last of them', () => {
    expect(whatOf(trialWith({ flows: [reset(46), reset(45)] }))).toEqual(['2 TCP flows reset, the last at 46.0 ms']);
  });

  test('that another pod took over are told where it answered', () => {
    expect(whatOf(drainedTrial)).toContain('2 UDP flows answered by another pod, the last at 2421.0 ms');
  });

  test('tell how long after the packets the client stamped their ends', () => {
    expect(whatOf(drainedTrial)).toContain(
      '2 TCP flows closed cleanly, the last at 25043.0 ms, 0.5 to 1.5 ms after the packets on the node',
    );
  });
});

describe('evidence', () => {
  test('of kube-proxy is what it counted, with whose share is in it', () => {
    const isolation = { lanes: 5, spacingMs: 1000 };
    const work = 'In 45 s kube-proxy wrote its rules 4 times, 75 ms each on average, and deleted 10 conntrack entries';
    expect(tellTrial(drainedTrial).meanwhile).toEqual([work]);
    expect(tellTrial({ ...drainedTrial, isolation }).meanwhile).toEqual([
      `${work}; trials beside this one had their share in that`,
    ]);
    expect(plain({ ...drainedTrial, flows: [] })).not.toContain('Why flows were cut off');
  });

  test('of the container runtime tells how the container was ended, step by step', () => {
    const lines = tellTrial(drainedTrial).lines.filter(({ seenBy }) => seenBy === 'the container runtime’s log');
    expect(lines.map(({ what, at }) => [at.tMs, what])).toEqual([
      [31, 'the kubelet asks the runtime to stop the container within 30 s'],
      [32, 'the runtime sends SIGTERM'],
      [25_046, 'the container’s process has ended with 0'],
      [25_090, 'the runtime tells the kubelet that the container has stopped'],
    ]);
  });

  test('places a write where it was made, and says when word of it came', () => {
    expect(tellTrial(drainedTrial).lines).toContainEqual({
      at: { tMs: 20, precision: { kind: 'bounded', earlyMs: 1, lateMs: 0 } },
      what: 'the EndpointSlice says ready=false of the pod (serving=true, terminating=true)',
      seenBy: 'audit log, by endpointslice-controller; a watch at 24.0 ms',
    });
  });

  test('that only one observer has is told: a write without a watch, rules, cleared entries', () => {
    const lines = whatOf(drainedTrial);
    expect(lines).toContain('pod-deleted of the pod was written, and no watch told of it');
    expect(lines).toContain('the node’s rules no longer lead to the pod (TCP)');
    expect(lines).toContain('kube-proxy takes 10 UDP conntrack entries from the pod’s flows, the last 4.0 ms later');
  });

  test('names the cause with what was seen of one flow', () => {
    expect(tellTrial(drainedTrial).causes).toEqual([
      '2 UDP flows re-homed: kube-proxy cleared their conntrack entries, as of udp-1: entry to 10.244.1.2 destroyed by kube-proxy at 2409.0 ms; entry to 10.244.1.3 created at 2418.0 ms',
    ]);
  });

  test('that contradicts itself is told, and not explained away', () => {
    const disagreements = [{ kind: 'told-before-packet', toldMs: 44, packetMs: 45 } as const];
    const flows = [{ ...reset(44), cause: { cause: 'pod-socket-closed', evidence: [], disagreements } as const }];
    expect(tellTrial(trialWith({ flows })).causes.at(-1)).toBe(
      'contradiction, first of tcp-1: the client told of the end at 44.0 ms, before the packet at 45.0 ms',
    );
  });

  test('that an observer lacks is missing with its reason', () => {
    const evidence = measured({
      ...exampleEvidence,
      rules: { status: 'not-measured', reason: 'no right to watch the rules' } as const,
    });
    expect(tellTrial({ ...drainedTrial, evidence }).missing).toContain('rules: no right to watch the rules');
  });
});

describe('a story as text', () => {
  test.each([72, 100, 160])('keeps to %i columns', (width) => {
    const longest = Math.max(
      ...plain(drainedTrial, width)
        .split('\n')
        .map((line) => line.length),
    );
    expect(longest).toBeLessThanOrEqual(width);
  });

  test('acts on no terminal, whatever a report holds', () => {
    const hostile = '\u001b]0;title\u0007\u202e';
    const timeline = [event('watch-interrupted', receipt(5), { resource: hostile, reason: hostile })];
    const text = plain(trialWith({ id: hostile, pod: hostile, timeline, unobservable: { 'pod-deleted': hostile } }));
    expect(text).not.toMatch(/[^\P{C}\n]/u);
  });

  test('names the public issues that it cites', () => {
    expect(plain(drainedTrial)).toContain('kubernetes/kubernetes#137986');
  });

  test('of a trial in which nothing was seen still says what is missing', () => {
    expect(plain(emptyTrial)).toContain('What would have told more');
  });

  test('leaves the other pod the other pod', () => {
    expect(whatOf(trialWith({ timeline: [event('pod-ready', receipt(9), { pod: successor })], pod }))).toEqual([
      'the other pod is Ready',
    ]);
  });
});
