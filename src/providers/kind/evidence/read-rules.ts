import type { EvidenceSite, RuleChange } from '../../../domain/evidence.ts';
import { type Measured, measured, notMeasured } from '../../../domain/measured.ts';
import { type MonitorLine, ruleChanges, rulesLeadTo } from '../../../timeline/evidence/rule-changes.ts';
import type { NodeFiles } from './node-files.ts';
import type { ObserverEnd } from './observer-end.ts';

export async function readRules(
  files: NodeFiles,
  ended: Measured<ObserverEnd>,
  { site, lines }: { readonly site: EvidenceSite; readonly lines: readonly MonitorLine[] },
): Promise<Measured<readonly RuleChange[]>> {
  if (ended.status === 'not-measured') return ended;
  const ruleset = await files.text('ruleset.json');
  // a pod that can be reached, and to which no rule leads, is reached by other means
  if (ruleset === undefined || !rulesLeadTo(ruleset, site.podAddress)) {
    return notMeasured(`no rule of nf_tables on node ${site.node} leads to the pod: another data plane does`);
  }
  return measured(ruleChanges(ruleset, lines, site.podAddress));
}
