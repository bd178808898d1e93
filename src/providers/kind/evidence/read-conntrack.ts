import type { ConntrackEntry } from '../../../domain/evidence.ts';
import { type Measured, measured, notMeasured } from '../../../domain/measured.ts';
import { conntrackEntries } from '../../../timeline/evidence/conntrack.ts';
import type { WallClockMoments } from '../../../timeline/wall-clock.ts';
import type { NodeFiles } from './node-files.ts';
import type { ObserverEnd } from './observer-end.ts';

export async function readConntrack(
  files: NodeFiles,
  ended: readonly Measured<ObserverEnd>[],
  { node, clientPorts, moments }: { node: string; clientPorts: ReadonlySet<number>; moments: WallClockMoments },
): Promise<Measured<readonly ConntrackEntry[]>> {
  const failed = ended.find((end) => end.status === 'not-measured');
  if (failed !== undefined) return failed;
  const both = async (stem: string) =>
    `${(await files.text(`${stem}-tcp.xml`)) ?? ''}\n${(await files.text(`${stem}-udp.xml`)) ?? ''}`;
  const record = { events: await both('conntrack'), dump: await both('dump') };
  const entries = conntrackEntries(record, clientPorts, moments);
  if (entries.length === 0 && clientPorts.size > 0) {
    return notMeasured(
      `the connection tracking of node ${node} had no entry of the flows: netfilter does not carry them`,
    );
  }
  return measured(entries);
}
