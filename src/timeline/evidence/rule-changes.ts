import { z } from 'zod';
import type { RuleChange } from '../../domain/evidence.ts';
import { parseJson, protocols, ruleForm, RuleSet } from './rule-set.ts';

/** A line of `nft --json monitor`, and when it was read: monotonic nanoseconds of the client's clock. */
export interface MonitorLine {
  readonly seenNs: bigint;
  readonly line: string;
}

const changeForm = z.union([
  z.object({ add: ruleForm }).transform(({ add }) => ({ isAdded: true, rule: add.rule })),
  z.object({ insert: ruleForm }).transform(({ insert }) => ({ isAdded: true, rule: insert.rule })),
  z.object({ delete: ruleForm }).transform((change) => ({ isAdded: false, rule: change.delete.rule })),
]);

/**
 * kube-proxy rewrites a Service's chains by deleting and adding all of their rules in one transaction, whose lines a
 * monitor tells one by one. It syncs no more often than once in this time, in nanoseconds.
 */
const transactionNs = 100_000_000n;

/**
 * When kube-proxy's rules began and ceased to lead to a pod, in its modes `nftables` and `iptables` (over nf_tables).
 *
 * @param ruleset answer of `nft --json list ruleset`, asked once the monitor ran; undefined: none, to begin with
 */
export function ruleChanges(
  ruleset: string | undefined,
  lines: readonly MonitorLine[],
  podAddress: string,
): readonly RuleChange[] {
  const rules = new RuleSet(podAddress, ruleset);
  const reachable = new Map(protocols.map((protocol) => [protocol, rules.leadsToPod(protocol)]));
  const changes: RuleChange[] = [];
  for (const { seenNs, line } of lines) {
    const change = parseJson(line, changeForm);
    if (change === undefined) continue;
    if (change.isAdded) rules.add(change.rule);
    else rules.delete(change.rule);
    for (const protocol of protocols) {
      const now = rules.leadsToPod(protocol);
      if (now === reachable.get(protocol)) continue;
      reachable.set(protocol, now);
      note(changes, { change: now ? 'pod-reachable' : 'pod-unreachable', protocol, seenNs });
    }
  }
  return changes;
}

/** Whether the rules of a listing lead to the pod by both protocols. */
export function rulesLeadTo(ruleset: string, podAddress: string): boolean {
  const rules = new RuleSet(podAddress, ruleset);
  return protocols.every((protocol) => rules.leadsToPod(protocol));
}

/** What is deleted and added again in one transaction did not change. */
function note(changes: RuleChange[], next: RuleChange): void {
  const at = changes.findLastIndex(({ protocol }) => protocol === next.protocol);
  const last = changes[at];
  const isRewritten =
    last?.change === 'pod-unreachable' && next.change === 'pod-reachable' && next.seenNs - last.seenNs < transactionNs;
  if (isRewritten) changes.splice(at, 1);
  else changes.push(next);
}
