import type { Measured } from './measured.ts';
import type { TrialEvidence } from './trial-evidence.ts';

/** What a reader calls each piece. */
const names: Readonly<Record<keyof TrialEvidence, string>> = {
  commits: 'commits',
  runtime: 'container runtime’s log',
  conntrack: 'conntrack',
  rules: 'rules',
  kubeProxy: 'kube-proxy’s counts',
  packets: 'packets',
  costs: 'costs',
};

/** The pieces of a trial's evidence that could not be had, each with the reason. */
export function missingEvidence(
  evidence: TrialEvidence,
): readonly { readonly piece: string; readonly reason: string }[] {
  return (Object.keys(names) as readonly (keyof TrialEvidence)[]).flatMap((piece) => {
    const seen: Measured<unknown> = evidence[piece];
    return seen.status === 'measured' ? [] : [{ piece: names[piece], reason: seen.reason }];
  });
}
