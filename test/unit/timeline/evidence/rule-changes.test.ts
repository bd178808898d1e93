import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type MonitorLine, ruleChanges, rulesLeadTo } from '../../../../src/timeline/evidence/rule-changes.ts';

/** One trial of arm drain under kube-proxy's iptables mode: the pod is 10.244.1.7, its replacement 10.244.1.8. */
const lines = readFileSync('test/fixtures/evidence/nft-drain.ndjson', 'utf8').trimEnd().split('\n');
const transactionNs = 1_000_000_000n;
const lineNs = 50_000n;

/** A transaction deletes first and adds last; the next one is a second later, as kube-proxy's syncs are at the least. */
const toldOf = (monitored: readonly string[]): readonly MonitorLine[] =>
  monitored.reduce<readonly (MonitorLine & { sync: bigint })[]>((before, line) => {
    const last = before.at(-1);
    const begins = last?.line.startsWith('{"add"') === true && !line.startsWith('{"add"');
    const sync = (last?.sync ?? 0n) + (begins ? 1n : 0n);
    return [...before, { line, sync, seenNs: sync * transactionNs + BigInt(before.length) * lineNs }];
  }, []);
const told = toldOf(lines);

const changesOf = (podAddress: string, ruleset?: string) =>
  ruleChanges(ruleset, told, podAddress).map(({ change, protocol, seenNs }) => [
    change,
    protocol,
    Number(seenNs / transactionNs),
  ]);

test('a pod’s chains that are rewritten in one transaction are no change; the pod leaves when they are not added again', () => {
  expect(changesOf('10.244.1.7')).toEqual([
    ['pod-reachable', 'tcp', 0],
    ['pod-reachable', 'udp', 0],
    ['pod-unreachable', 'tcp', 3],
    ['pod-unreachable', 'udp', 3],
  ]);
});

test('the transaction that takes the pod out is the one that lets its replacement in', () => {
  expect(changesOf('10.244.1.8').filter(([change]) => change === 'pod-reachable')).toEqual([
    ['pod-reachable', 'tcp', 3],
    ['pod-reachable', 'udp', 3],
  ]);
});

test('an address that another one begins with is another pod’s', () => {
  expect(changesOf('10.244.1')).toEqual([]);
});

test('rules that were there before the monitor count: what was listed is reachable already, and leaves all the same', () => {
  const listed = lines.slice(0, 8).flatMap((line) => {
    const { add } = JSON.parse(line) as { add?: object };
    return add === undefined ? [] : [add];
  });
  const later = told.slice(8);
  const changes = ruleChanges(JSON.stringify({ nftables: listed }), later, '10.244.1.7');
  expect(changes.map(({ change, protocol }) => [change, protocol])).toEqual([
    ['pod-unreachable', 'tcp'],
    ['pod-unreachable', 'udp'],
  ]);
});

test('lines that are no change of a rule are left out', () => {
  const noise = ['', 'no JSON', '{}', '{"add":{"chain":{"name":"x"}}}'].map((line) => ({ line, seenNs: 0n }));
  expect(ruleChanges('no JSON', noise, '10.244.1.7')).toEqual([]);
});

test('under kube-proxy’s nftables mode the way leads by a map of verdicts, and is told of alike', () => {
  const drain = readFileSync('test/fixtures/evidence/nft-drain-nftables.ndjson', 'utf8').trimEnd().split('\n');
  const changes = (podAddress: string) =>
    ruleChanges(undefined, toldOf(drain), podAddress).map(({ change, protocol }) => `${change} ${protocol}`);
  expect(changes('10.244.1.6')).toEqual([
    'pod-reachable tcp',
    'pod-reachable udp',
    'pod-unreachable tcp',
    'pod-unreachable udp',
  ]);
  expect(changes('10.244.1.7').slice(0, 2)).toEqual(['pod-reachable tcp', 'pod-reachable udp']);
});

test('the transaction of mode nftables that takes the pod out lets its replacement in', () => {
  const drain = readFileSync('test/fixtures/evidence/nft-drain-nftables.ndjson', 'utf8').trimEnd().split('\n');
  const syncOf = (podAddress: string, wanted: string) =>
    ruleChanges(undefined, toldOf(drain), podAddress)
      .filter(({ change }) => change === wanted)
      .map(({ seenNs }) => seenNs / transactionNs);
  const out = syncOf('10.244.1.6', 'pod-unreachable');
  expect(out).toHaveLength(2);
  expect(syncOf('10.244.1.7', 'pod-reachable')).toEqual(out);
});

test('a listing leads to a pod where it does so by both protocols', () => {
  const drain = readFileSync('test/fixtures/evidence/nft-drain-nftables.ndjson', 'utf8').trimEnd().split('\n');
  const listing = (count: number) =>
    JSON.stringify({ nftables: drain.slice(0, count).map((line) => (JSON.parse(line) as { add: object }).add) });
  expect(rulesLeadTo(listing(12), '10.244.1.6')).toBe(true);
  expect(rulesLeadTo(listing(6), '10.244.1.6')).toBe(false);
  expect(rulesLeadTo(listing(12), '10.244.1.7')).toBe(false);
  expect(rulesLeadTo('', '10.244.1.6')).toBe(false);
});
