import { z } from 'zod';
import type { RuleChange } from '../../domain/evidence.ts';
import type { Protocol } from '../../domain/flow.ts';

/** A line of `nft --json monitor`, and when it was read: monotonic nanoseconds of the client's clock. */
export interface MonitorLine {
  readonly seenNs: bigint;
  readonly line: string;
}

const ruleForm = z.object({
  rule: z.object({
    family: z.string(),
    table: z.string(),
    chain: z.string(),
    handle: z.number(),
    expr: z.array(z.unknown()).default([]),
  }),
});
const changeForm = z.union([
  z.object({ add: ruleForm }).transform(({ add }) => ({ isAdded: true, rule: add.rule })),
  z.object({ insert: ruleForm }).transform(({ insert }) => ({ isAdded: true, rule: insert.rule })),
  z.object({ delete: ruleForm }).transform((change) => ({ isAdded: false, rule: change.delete.rule })),
]);
const listForm = z.object({ nftables: z.array(z.unknown()) });

/** What a rule says that matters here. */
interface Rule {
  readonly chain: string;
  readonly leadsTo: ReadonlySet<string>;
  readonly namesPod: boolean;
  readonly protocol: Protocol | undefined;
}

/**
 * kube-proxy rewrites a Service's chains by deleting and adding all of their rules in one transaction, whose lines a
 * monitor tells one by one. It syncs no more often than once in this time, in nanoseconds.
 */
const transactionNs = 100_000_000n;

const protocols: readonly Protocol[] = ['tcp', 'udp'];

/**
 * When the rules of kube-proxy's mode `iptables` over nf_tables began and ceased to lead to a pod: a chain names its
 * address (KUBE-SEP-…), and a rule of another chain jumps there.
 *
 * @param ruleset answer of `nft --json list table ip nat`, asked once the monitor ran; undefined: none, to begin with
 */
export function ruleChanges(
  ruleset: string | undefined,
  lines: readonly MonitorLine[],
  podAddress: string,
): readonly RuleChange[] {
  const rules = rulesOf(ruleset, podAddress);
  const reachable = new Map(protocols.map((protocol) => [protocol, leadsToPod(rules, protocol)]));
  const changes: RuleChange[] = [];
  for (const { seenNs, line } of lines) {
    const change = parsed(line, changeForm);
    if (change === undefined) continue;
    const { isAdded, rule } = change;
    if (isAdded) rules.set(keyOf(rule), ruleOf(rule, podAddress));
    else rules.delete(keyOf(rule));
    for (const protocol of protocols) {
      const now = leadsToPod(rules, protocol);
      if (now === reachable.get(protocol)) continue;
      reachable.set(protocol, now);
      note(changes, { change: now ? 'pod-reachable' : 'pod-unreachable', protocol, seenNs });
    }
  }
  return changes;
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

function leadsToPod(rules: ReadonlyMap<string, Rule>, protocol: Protocol): boolean {
  const all = [...rules.values()];
  const naming = new Set(all.filter(({ namesPod }) => namesPod).map(({ chain }) => chain));
  const ofProtocol = all.filter((rule) => rule.protocol === protocol && naming.has(rule.chain));
  return ofProtocol.some(({ chain }) => all.some((rule) => rule.chain !== chain && rule.leadsTo.has(chain)));
}

function rulesOf(ruleset: string | undefined, podAddress: string): Map<string, Rule> {
  const listed = ruleset === undefined ? [] : (parsed(ruleset, listForm)?.nftables ?? []);
  const rules = listed.flatMap((item) => ruleForm.safeParse(item).data?.rule ?? []);
  return new Map(rules.map((rule) => [keyOf(rule), ruleOf(rule, podAddress)]));
}

type RuleForm = z.infer<typeof ruleForm>['rule'];

const keyOf = ({ family, table, handle }: RuleForm) => `${family} ${table} ${handle}`;

function ruleOf({ chain, expr }: RuleForm, podAddress: string): Rule {
  const text = JSON.stringify(expr);
  const targets = expr.flatMap((statement) => jumpForm.safeParse(statement).data ?? []);
  return {
    chain,
    leadsTo: new Set(targets),
    namesPod: text.includes(`"${podAddress}"`),
    protocol: protocols.find((protocol) => expr.some((statement) => matchForm(protocol).safeParse(statement).success)),
  };
}

const target = z.object({ target: z.string() });
const jumpForm = z.union([
  z.object({ jump: target }).transform(({ jump }) => jump.target),
  z.object({ goto: target }).transform((verdict) => verdict.goto.target),
]);
const matchForm = (protocol: Protocol) =>
  z.object({
    match: z.object({ left: z.object({ meta: z.object({ key: z.literal('l4proto') }) }), right: z.literal(protocol) }),
  });

function parsed<T>(text: string, form: z.ZodType<T>): T | undefined {
  try {
    return form.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
