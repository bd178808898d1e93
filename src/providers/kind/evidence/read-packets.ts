import { isIPv4 } from 'node:net';
import { setImmediate as pause } from 'node:timers/promises';
import type { EvidenceSite, PacketSighting } from '../../../domain/evidence.ts';
import { type Measured, measured, notMeasured } from '../../../domain/measured.ts';
import { sightingsIn } from '../../../timeline/evidence/sightings.ts';
import type { WallClockMoments } from '../../../timeline/wall-clock.ts';
import type { NodeFiles } from './node-files.ts';
import type { ObserverEnd } from './observer-end.ts';

/** Packets that are read without a pause: some milliseconds of work. Other trials' watches are read on this thread. */
const readAtOnce = 1000;

/** tcpdump tells its losses in this line only (tcpdump(8)). */
const droppedLine = /^(\d+) packets? dropped by kernel$/m;

export async function readPackets(
  files: NodeFiles,
  ended: Measured<ObserverEnd>,
  { site, clientPorts, moments }: { site: EvidenceSite; clientPorts: ReadonlySet<number>; moments: WallClockMoments },
): Promise<Measured<readonly PacketSighting[]>> {
  if (ended.status === 'not-measured') return ended;
  if (!isIPv4(site.endpoint.address)) return notMeasured('packets are read of IPv4 only');
  const dropped = droppedLine.exec(ended.value.complaints)?.[1];
  if (dropped === undefined) return notMeasured(`tcpdump on node ${site.node} did not tell how much it lost`);
  if (dropped !== '0') return notMeasured(`tcpdump on node ${site.node} came too late for ${dropped} packets`);
  const capture = await files.bytes('packets.pcap');
  if (capture === undefined) return notMeasured(`tcpdump on node ${site.node} wrote no capture`);
  try {
    const flows = { endpoint: site.endpoint, podAddress: site.podAddress, clientPorts };
    return measured(await withPauses(sightingsIn(capture, flows, moments)));
  } catch (error) {
    if (error instanceof RangeError) return notMeasured(error.message);
    throw error;
  }
}

async function withPauses(packets: Iterable<PacketSighting | undefined>): Promise<readonly PacketSighting[]> {
  const seen: PacketSighting[] = [];
  let read = 0;
  for (const packet of packets) {
    if (packet !== undefined) seen.push(packet);
    read += 1;
    if (read % readAtOnce === 0) await pause();
  }
  return seen;
}
