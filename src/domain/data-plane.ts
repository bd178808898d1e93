import type { Measured } from './measured.ts';
import type { PreflightResult } from './preflight.ts';

/** What a node's kernel holds of rules for Services, counted by who makes them. */
export interface ServiceRules {
  /** Chains `KUBE-SVC-…` of any iptables: kube-proxy makes them in mode iptables only. */
  readonly iptablesChains: number;
  /** Chains of the nftables tables named `kube-proxy`. */
  readonly nftablesChains: number;
  /** Virtual services of IP_VS. */
  readonly ipvsServices: number;
}

/** What carries Services on one node, as the running things tell it. */
export interface NodeDataPlane {
  readonly node: string;
  /** The mode that the running kube-proxy reports; null: no pod of kube-proxy runs there. */
  readonly kubeProxyMode: Measured<string | null>;
  /** `kube-proxy-replacement` in the status of the running Cilium agent; null: no agent runs there. */
  readonly ciliumReplacement: Measured<string | null>;
  readonly rules: Measured<ServiceRules>;
}

/** Whether what was found is what was asked for, and what was found. */
export type Verification = Pick<PreflightResult, 'detail'> & {
  readonly status: Exclude<PreflightResult['status'], 'not-applicable'>;
};
