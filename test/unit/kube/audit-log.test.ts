import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commitsIn } from '../../../src/kube/audit-log.ts';
import { wallClockMoments, wallNsOf } from '../../../src/timeline/wall-clock.ts';

const log = readFileSync('test/fixtures/evidence/audit-drain-scale.ndjson', 'utf8');
const namespace = 'drainwatch-b852f122-3-2dcabc19';
const noOffset = { leastNs: 0n, greatestNs: 0n };
const commits = (text: string, of = namespace) => commitsIn(text, of, wallClockMoments(noOffset, noOffset));
const controller = 'system:serviceaccount:kube-system:replicaset-controller';
const slices = 'system:serviceaccount:kube-system:endpointslice-controller';
const kubelet = 'system:node:evhand-worker';

test('the writes of one namespace become the events that they made true, in the store’s order, each with its writer', () => {
  expect(commits(log).map(({ name, by }) => [name, by])).toEqual([
    ['pod-ready', kubelet],
    ['endpoint-ready', slices],
    ['pod-terminating', controller],
    ['endpoint-not-ready', slices],
    ['pod-not-ready', kubelet],
    ['endpoint-not-ready', slices],
    ['container-terminated', kubelet],
    ['endpoint-removed', slices],
    ['pod-deleted', kubelet],
  ]);
});

test('a commit lies between the receipt of its request and the end of the answer, to the microsecond', () => {
  const terminating = commits(log).find(({ name }) => name === 'pod-terminating');
  expect(terminating?.at).toEqual({
    earliestNs: wallNsOf('2026-11-29T20:17:03.280403Z'),
    latestNs: wallNsOf('2026-11-29T20:17:03.291925Z'),
  });
});

test('a commit carries what the watch would tell of it', () => {
  const payloads = commits(log).filter(({ name }) => name === 'endpoint-not-ready' || name === 'container-terminated');
  expect(payloads.map(({ payload }) => payload)).toMatchObject([
    { serving: true, terminating: true },
    { serving: false, terminating: true },
    { exitCode: 0, reason: 'Completed' },
  ]);
});

test('lines that were answered out of order give the same as in order', () => {
  const reversed = log.trimEnd().split('\n').toReversed().join('\n');
  expect(commits(reversed)).toEqual(commits(log));
});

test('refused writes, other namespaces and a half-written last line change nothing', () => {
  expect(commits(log, 'another')).toEqual([]);
  expect(commits(log.replaceAll('"code":200', '"code":409')).some(({ name }) => name === 'pod-terminating')).toBe(
    false,
  );
  expect(commits(`${log}{"kind":"Event","objectRef":{"namespace":"${namespace}"`)).toEqual(commits(log));
});

test('an eviction is what makes its pod terminate, though it answers with no pod', () => {
  const lines = log.trimEnd().split('\n');
  const at = lines.findIndex((line) => line.includes('"verb":"delete"'));
  const deletion = JSON.parse(lines[at] ?? '') as Record<string, object>;
  const eviction = {
    ...deletion,
    verb: 'create',
    user: { username: 'evictor' },
    objectRef: { ...deletion.objectRef, subresource: 'eviction' },
    responseStatus: { code: 201 },
    requestObject: undefined,
    responseObject: { kind: 'Status' },
  };
  const evicted = lines.with(at, JSON.stringify(eviction)).join('\n');
  expect(commits(evicted).filter(({ name }) => name === 'pod-terminating')).toMatchObject([{ by: 'evictor' }]);
});
