import { z } from 'zod';
import type { ServiceRules } from '../../domain/data-plane.ts';
import { jsonOrUndefined } from '../../domain/json.ts';
import { measured, type Measured, notMeasured } from '../../domain/measured.ts';
import { whatFailed } from '../../process/command-failure.ts';
import type { Docker } from './docker.ts';

/**
 * Lines of the answer: the chains of nf_tables, which iptables-nft's are too, as nft's JSON; the number of KUBE-SVC-
 * chains of the older iptables, which is another part of the kernel; the number of virtual services of IP_VS.
 */
const script = [
  'nft --json list chains | tr -d "\\n"; echo',
  '{ iptables-legacy-save -t nat; ip6tables-legacy-save -t nat; } 2> /dev/null | grep --count "^:KUBE-SVC-"',
  'cat /proc/net/ip_vs 2> /dev/null | grep --count --extended-regexp "^(TCP|UDP|SCTP|FWM) "',
  'true',
].join('\n');

/** libnftables-json(5) */
const chainsSchema = z.object({
  nftables: z.array(z.object({ chain: z.object({ table: z.string(), name: z.string() }).exactOptional() })),
});
const countSchema = z.string().regex(/^\d+$/).transform(Number);

/** Counts the rules of Services in a node's kernel. */
export async function readServiceRules(
  docker: Docker,
  node: string,
  signal: AbortSignal,
): Promise<Measured<ServiceRules>> {
  try {
    const { stdout } = await docker(['exec', node, 'sh', '-c', script], { signal, timeoutMs: 20_000 });
    return rulesOf(stdout, node);
  } catch (error) {
    signal.throwIfAborted();
    return notMeasured(`the rules of node ${node} could not be read: ${whatFailed(error)}`);
  }
}

/** Pure part of `readServiceRules`. */
export function rulesOf(answer: string, node: string): Measured<ServiceRules> {
  const [nft = '', legacy = '', ipvs = ''] = answer.split('\n');
  const chains = chainsSchema.safeParse(jsonOrUndefined(nft));
  const [legacyChains, ipvsServices] = [countSchema.safeParse(legacy), countSchema.safeParse(ipvs)];
  if (!chains.success || !legacyChains.success || !ipvsServices.success) {
    return notMeasured(`node ${node} did not list its chains as JSON and its other rules as numbers`);
  }
  const found = chains.data.nftables.flatMap(({ chain }) => chain ?? []);
  return measured({
    iptablesChains: found.filter(({ name }) => name.startsWith('KUBE-SVC-')).length + legacyChains.data,
    nftablesChains: found.filter(({ table }) => table === 'kube-proxy').length,
    ipvsServices: ipvsServices.data,
  });
}
