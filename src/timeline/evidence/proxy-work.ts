import parsePrometheusTextFormat from 'parse-prometheus-text-format';
import type { ProxyWork } from '../../domain/evidence.ts';

/**
 * kube-proxy's names (pkg/proxy/metrics/metrics.go; the deleted entries since v1.33, kubernetes#130204), each by IP family
 * there; and the node's uptime, which is put before them.
 */
const names = {
  uptime: 'node_uptime_seconds',
  syncs: 'kubeproxy_sync_proxy_rules_duration_seconds_count',
  syncSeconds: 'kubeproxy_sync_proxy_rules_duration_seconds_sum',
  deleted: 'kubeproxy_conntrack_reconciler_deleted_entries_total',
};

/**
 * What kube-proxy did between two readings of its metrics (Prometheus' text format, sums and counts only); undefined where
 * one of them is not of that format or has no count of syncs, or where it began to count anew in between.
 */
export function proxyWork(before: string, after: string): ProxyWork | undefined {
  const [earlier, later] = [totalsIn(before), totalsIn(after)];
  if (earlier === undefined || later === undefined) return undefined;
  const growth = (name: string, from = earlier.get(name)): number | undefined => {
    const to = later.get(name);
    return from === undefined || to === undefined ? undefined : to - from;
  };
  const [seconds, count, syncSeconds] = [growth(names.uptime), growth(names.syncs), growth(names.syncSeconds)];
  // a counter with labels that nothing was added to yet is not shown
  const entriesDeleted = growth(names.deleted, earlier.get(names.deleted) ?? 0) ?? null;
  if (seconds === undefined || count === undefined || syncSeconds === undefined) return undefined;
  if ([seconds, count, syncSeconds, entriesDeleted ?? 0].some((grown) => grown < 0)) return undefined;
  return { seconds, syncs: { count, totalMs: syncSeconds * 1000 }, entriesDeleted };
}

/** By name, over all labels. */
function totalsIn(text: string): ReadonlyMap<string, number> | undefined {
  const totals = new Map<string, number>();
  for (const { name, metrics } of familiesIn(text)) {
    for (const { value = '' } of metrics) {
      if (value === '' || !Number.isFinite(Number(value))) return undefined;
      totals.set(name, (totals.get(name) ?? 0) + Number(value));
    }
  }
  return totals;
}

function familiesIn(text: string) {
  try {
    return parsePrometheusTextFormat(text);
  } catch {
    // a line that is of no such form
    return [];
  }
}
