import { expect, test } from 'vitest';
import { proxyWork } from '../../../../src/timeline/evidence/proxy-work.ts';

const counts = (uptime: number, syncs: number, seconds: number, more = '') =>
  `node_uptime_seconds ${uptime}
kubeproxy_sync_proxy_rules_duration_seconds_sum ${seconds}
kubeproxy_sync_proxy_rules_duration_seconds_count ${syncs}
${more}`;
const deleted = (entries: number) =>
  `kubeproxy_conntrack_reconciler_deleted_entries_total{ip_family="IPv4"} ${entries}\n`;

test('a version that does not count deleted entries tells its syncs all the same', () => {
  expect(proxyWork(counts(100, 10, 1), counts(140, 12, 1.5))).toEqual({
    seconds: 40,
    syncs: { count: 2, totalMs: 500 },
    entriesDeleted: null,
  });
});

test('a counter that is not shown before its first addition began at 0', () => {
  expect(proxyWork(counts(100, 10, 1), counts(140, 10, 1, deleted(7)))?.entriesDeleted).toBe(7);
});

const after = counts(140, 12, 1.5);
test.each([
  ['no text', '', after],
  ['another program’s metrics', 'up 1', after],
  ['a first reading without the time of syncs', counts(100, 10, 1).replace(/^.*_sum.*$/m, ''), after],
  ['a first reading without the node’s uptime', counts(100, 10, 1).replace(/^node.*$/m, ''), after],
  ['syncs that went back', counts(100, 10, 1), counts(140, 9, 1.5)],
  ['deletions that went back', counts(100, 10, 1, deleted(9)), counts(140, 12, 1.5, deleted(1))],
  ['values that are no numbers', counts(100, 10, 1), counts(140, Number.NaN, 1.5)],
  ['a line of no such form', counts(100, 10, 1, 'kubeproxy_x{a="b" 1\n'), after],
])('%s: nothing is known', (_, before, later) => {
  expect(proxyWork(before, later)).toBeUndefined();
});
