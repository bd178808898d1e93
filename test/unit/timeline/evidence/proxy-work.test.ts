import { expect, test } from 'vitest';
import { proxyWork } from '../../../../src/timeline/evidence/proxy-work.ts';

const counts = (syncs: number, seconds: number, more = '') =>
  `kubeproxy_sync_proxy_rules_duration_seconds_sum ${seconds}\nkubeproxy_sync_proxy_rules_duration_seconds_count ${syncs}\n${more}`;
const deleted = (entries: number) =>
  `kubeproxy_conntrack_reconciler_deleted_entries_total{ip_family="IPv4"} ${entries}\n`;

test('a version that does not count deleted entries tells its syncs all the same', () => {
  expect(proxyWork(counts(10, 1), counts(12, 1.5))).toEqual({
    syncs: { count: 2, totalMs: 500 },
    entriesDeleted: null,
  });
});

test('a counter that is not shown before its first addition began at 0', () => {
  expect(proxyWork(counts(10, 1), counts(10, 1, deleted(7)))?.entriesDeleted).toBe(7);
});

test.each([
  ['no text', '', counts(12, 1.5)],
  ['another program’s metrics', 'up 1', counts(12, 1.5)],
  ['syncs that went back', counts(10, 1), counts(9, 1.5)],
  ['deletions that went back', counts(10, 1, deleted(9)), counts(12, 1.5, deleted(1))],
  ['values that are no numbers', counts(10, 1), counts(Number.NaN, 1.5)],
])('%s: nothing is known', (_, before, after) => {
  expect(proxyWork(before, after)).toBeUndefined();
});
