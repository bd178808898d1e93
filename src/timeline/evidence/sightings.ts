import type { PacketSender, PacketSighting } from '../../domain/evidence.ts';
import type { Endpoint } from '../../domain/workload.ts';
import type { WallClockMoments } from '../wall-clock.ts';
import { readCapture } from './capture-file.ts';
import { cookedLinkType, decodePacket, type Packet } from './packet.ts';

/** Where the flows run that the packets are looked through for. */
export interface SightedFlows {
  readonly endpoint: Endpoint;
  readonly podAddress: string;
  readonly clientPorts: ReadonlySet<number>;
}

/** A packet that came in stays within the node for no longer than this, in nanoseconds; a number may come again later. */
const crossingNs = 1_000_000_000n;

/** `sightingsIn`, all at once. @throws {RangeError} when the file is no capture of the kind */
export const sightings = (...args: Parameters<typeof sightingsIn>): readonly PacketSighting[] =>
  [...sightingsIn(...args)].flatMap((seen) => seen ?? []);

/**
 * The packets of the flows that matter to their ends, as the capture of all interfaces of the node has them: each at the
 * client's side of the node, once, with its sender. What the node forwards is seen twice, coming in and going out: address
 * translation changes its addresses and ports, and leaves its sequence numbers and IP identifiers.
 *
 * @returns one packet after the other, undefined for one that matters to none: a reader with more to do may pause
 * @throws {RangeError} when the file is no capture of the kind
 */
export function* sightingsIn(
  file: Uint8Array,
  flows: SightedFlows,
  moments: WallClockMoments,
): Generator<PacketSighting | undefined> {
  const { linkType, frames } = readCapture(file);
  if (linkType !== cookedLinkType) throw new RangeError(`the capture has link type ${linkType}, not ${cookedLinkType}`);
  const arrivals = new Map<string, { readonly source: string; readonly wallNs: bigint }>();
  for (const { wallNs, bytes } of frames) {
    const packet = decodePacket(bytes);
    const key = packet === undefined ? undefined : keyOf(packet);
    const seen = packet === undefined ? undefined : atClient(packet, flows);
    if (packet === undefined || seen === undefined) {
      if (packet?.direction === 'in' && key !== undefined) arrivals.set(key, { source: packet.source, wallNs });
      yield undefined;
      continue;
    }
    const arrival = key === undefined ? undefined : arrivals.get(key);
    const cameIn = arrival !== undefined && wallNs - arrival.wallNs <= crossingNs;
    const source = packet.direction === 'in' ? packet.source : cameIn ? arrival.source : null;
    yield { ...seen, sender: senderOf(seen, source, flows), at: moments(wallNs) };
  }
}

type AtClient = Pick<PacketSighting, 'kind' | 'protocol' | 'clientPort' | 'direction'>;

/** What the packet is to a flow of the client's, between client and node; undefined if it is nothing to them. */
function atClient({ body, direction }: Packet, { endpoint, clientPorts }: SightedFlows): AtClient | undefined {
  const isOut = direction === 'out';
  const tuple = body.kind === 'unreachable' ? body.about : body.tuple;
  const { protocol } = tuple;
  const servicePort = protocol === 'tcp' ? endpoint.tcpPort : endpoint.udpPort;
  const isToService = tuple.destination === endpoint.address && tuple.destinationPort === servicePort;
  const isFromService = tuple.source === endpoint.address && tuple.sourcePort === servicePort;
  const to = (kind: PacketSighting['kind']) =>
    known({ kind, protocol, clientPort: tuple.destinationPort, direction: 'to-client' });
  const known = (seen: AtClient) => (clientPorts.has(seen.clientPort) ? seen : undefined);
  switch (body.kind) {
    case 'unreachable':
      return isOut && isToService
        ? known({ kind: 'icmp-unreachable', protocol, clientPort: tuple.sourcePort, direction: 'to-client' })
        : undefined;
    case 'udp':
      return isOut && isFromService ? to('answer') : undefined;
    case 'tcp': {
      const kind = body.rst ? 'rst' : body.fin ? 'fin' : undefined;
      if (kind === undefined) return undefined;
      if (isOut && isFromService) return to(kind);
      if (isOut || !isToService) return undefined;
      return known({ kind, protocol, clientPort: tuple.sourcePort, direction: 'from-client' });
    }
    default:
      return body satisfies never;
  }
}

/** What address translation leaves of a packet; undefined where that is nothing. */
function keyOf({ id, body }: Packet): string | undefined {
  switch (body.kind) {
    case 'tcp':
      return ['tcp', body.sequence, body.acknowledgement, body.rst, body.fin].join(' ');
    case 'unreachable':
      return ['unreachable', body.code, body.about.protocol, id, body.aboutId].join(' ');
    case 'udp':
      return undefined;
    default:
      return body satisfies never;
  }
}

/** The sender of an answer is left open: the data plane's own record says where the flow led. */
function senderOf({ kind, direction }: AtClient, source: string | null, flows: SightedFlows): PacketSender | null {
  if (kind === 'answer') return null;
  if (direction === 'from-client') return 'client';
  if (source === null) return 'node';
  return source === flows.podAddress ? 'pod' : 'elsewhere';
}
