import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterSpec } from '../../../domain/cluster.ts';
import type { StateFolder } from '../cluster-state.ts';
import { auditPolicy, auditPolicyFile } from './audit.ts';

/** Writes the audit policy of a cluster that evidence is asked of, and gives its folder; undefined for any other. */
export function writeAuditPolicy(
  { evidence }: Pick<ClusterSpec, 'evidence'>,
  states: StateFolder,
  cluster: string,
): string | undefined {
  if (evidence !== true) return undefined;
  const folder = states.filesOf(cluster);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, auditPolicyFile), auditPolicy);
  return folder;
}
