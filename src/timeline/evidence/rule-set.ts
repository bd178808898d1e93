import { z } from 'zod';
import type { Protocol } from '../../domain/flow.ts';
import { jsonOrUndefined } from '../../domain/json.ts';

/** A rule of nf_tables as `nft --json` tells it (libnftables-json(5)). */
export const ruleForm = z.object({
  rule: z.object({
    family: z.string(),
    table: z.string(),
    chain: z.string(),
    handle: z.number(),
    expr: z.array(z.unknown()).default([]),
  }),
});
export type RuleForm = z.infer<typeof ruleForm>['rule'];
const listForm = z.object({ nftables: z.array(z.unknown()) });

/** What a rule says that matters here. */
interface Rule {
  readonly chain: string;
  /** Chains that it goes to, by itself or by a map of verdicts. */
  readonly leadsTo: ReadonlySet<string>;
  readonly namesPod: boolean;
  readonly protocol: Protocol | undefined;
}

/**
 * The rules that concern the way to one pod. kube-proxy has a chain for each endpoint, which names its address (KUBE-SEP-…
 * in mode `iptables`, endpoint-… in mode `nftables`), and leads there by a rule of the Service's chain: by jumps, or by a
 * map of verdicts.
 */
export class RuleSet {
  readonly #podAddress: string;
  readonly #rules = new Map<string, Rule>();
  /** Those that name the pod: a few of thousands, by which the way is looked up. */
  readonly #naming = new Set<Rule>();
  /** By the chain that they lead to. */
  readonly #leading = new Map<string, Set<Rule>>();

  /** @param ruleset answer of `nft --json list ruleset`; undefined: no rules, to begin with */
  constructor(podAddress: string, ruleset: string | undefined) {
    this.#podAddress = podAddress;
    const listed = ruleset === undefined ? [] : (parseJson(ruleset, listForm)?.nftables ?? []);
    for (const item of listed) {
      const rule = ruleForm.safeParse(item).data?.rule;
      if (rule !== undefined) this.add(rule);
    }
  }

  add(form: RuleForm): void {
    this.delete(form);
    const rule = ruleOf(form, this.#podAddress);
    this.#rules.set(keyOf(form), rule);
    if (rule.namesPod) this.#naming.add(rule);
    for (const chain of rule.leadsTo) {
      const leading = this.#leading.get(chain) ?? new Set();
      this.#leading.set(chain, leading.add(rule));
    }
  }

  delete(form: RuleForm): void {
    const key = keyOf(form);
    const rule = this.#rules.get(key);
    if (rule === undefined) return;
    this.#rules.delete(key);
    this.#naming.delete(rule);
    for (const chain of rule.leadsTo) this.#leading.get(chain)?.delete(rule);
  }

  /** Whether a chain that names the pod, for this protocol, can be come to from another chain. */
  leadsToPod(protocol: Protocol): boolean {
    const chains = new Set([...this.#naming].map(({ chain }) => chain));
    return [...chains].some((chain) => {
      const isReached = [...(this.#leading.get(chain) ?? [])].some((rule) => rule.chain !== chain);
      return isReached && this.#isOf(chain, protocol);
    });
  }

  #isOf(chain: string, protocol: Protocol): boolean {
    return [...this.#rules.values()].some((rule) => rule.chain === chain && rule.protocol === protocol);
  }
}

/** A handle is unique in its table. */
const keyOf = ({ family, table, handle }: RuleForm) => `${family} ${table} ${handle}`;

function ruleOf({ chain, expr }: RuleForm, podAddress: string): Rule {
  return {
    chain,
    leadsTo: new Set(targetsIn(expr)),
    namesPod: JSON.stringify(expr).includes(`"${podAddress}"`),
    protocol: protocols.find((protocol) => expr.some((statement) => matchForm(protocol).safeParse(statement).success)),
  };
}

const target = z.object({ target: z.string() });
const verdictForm = z.union([
  z.object({ jump: target }).transform(({ jump }) => jump.target),
  z.object({ goto: target }).transform((verdict) => verdict.goto.target),
]);

/** The chains of all verdicts in it, however deep: a map's stand in its set of pairs. */
function targetsIn(part: unknown): readonly string[] {
  if (Array.isArray(part)) return part.flatMap(targetsIn);
  if (typeof part !== 'object' || part === null) return [];
  const own = verdictForm.safeParse(part).data;
  return own === undefined ? Object.values(part).flatMap(targetsIn) : [own];
}

export const protocols: readonly Protocol[] = ['tcp', 'udp'];

const matchForm = (protocol: Protocol) =>
  z.object({
    match: z.object({ left: z.object({ meta: z.object({ key: z.literal('l4proto') }) }), right: z.literal(protocol) }),
  });

export const parseJson = <T>(text: string, form: z.ZodType<T>): T | undefined =>
  form.safeParse(jsonOrUndefined(text)).data;
