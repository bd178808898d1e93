import parsePrometheusTextFormat from 'parse-prometheus-text-format';
import type { ProxyWork } from '../../domain/evidence.ts';

/** kube-proxy's names (pkg/proxy/metrics/metrics.go; the last one since v1.33, kubernetes#130204), each by IP family there. */
const names = {
  syncs: 'kubeproxy_sync_proxy_rules_duration_seconds_count',
  syncSeconds: 'kubeproxy_sync_proxy_rules_duration_seconds_sum',
  deleted: 'kubeproxy_conntrack_reconciler_deleted_entries_total',
};

/**
 * What kube-proxy did between two readings of its metrics (Prometheus' text format, sums and counts only); undefined where
 * one of them has no count of syncs, or where it began to count anew in between.
 */
export function proxyWork(before: string, after: string): ProxyWork | undefined {
  const [earlier, later] = [totalsIn(before), totalsIn(after)];
  const growth = (name: string): number | undefined => {
    const [from, to] = [earlier.get(name), later.get(name)];
    // a counter that nothing was added to yet is not shown
    return to === undefined ? undefined : to - (from ?? 0);
  };
  const [count, seconds, deleted] = [growth(names.syncs), growth(names.syncSeconds), growth(names.deleted)];
  const isWhole = earlier.has(names.syncs) && count !== undefined && seconds !== undefined;
  if (!isWhole || [count, seconds, deleted ?? 0].some((grown) => grown < 0)) return undefined;
  return { syncs: { count, totalMs: seconds * 1000 }, entriesDeleted: deleted ?? null };
}

/** By name, over all labels. */
function totalsIn(text: string): ReadonlyMap<string, number> {
  const totals = new Map<string, number>();
  for (const { name, metrics } of parsePrometheusTextFormat(text)) {
    const values = metrics.map(({ value }) => Number(value)).filter(Number.isFinite);
    if (values.length > 0) {
      const sum = values.reduce((total, value) => total + value, 0);
      totals.set(name, (totals.get(name) ?? 0) + sum);
    }
  }
  return totals;
}
