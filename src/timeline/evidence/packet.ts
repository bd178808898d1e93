import type { Protocol } from '../../domain/flow.ts';

/** Ports and addresses as a packet carries them. */
export interface PacketTuple {
  readonly protocol: Protocol;
  readonly source: string;
  readonly sourcePort: number;
  readonly destination: string;
  readonly destinationPort: number;
}

/** The parts of a packet that tell of a flow's end. */
export type PacketBody =
  | {
      readonly kind: 'tcp';
      readonly tuple: PacketTuple;
      readonly fin: boolean;
      readonly rst: boolean;
      readonly sequence: number;
      readonly acknowledgement: number;
    }
  | { readonly kind: 'udp'; readonly tuple: PacketTuple }
  /** Destination unreachable, and of which packet: its headers come along (RFC 792). */
  | { readonly kind: 'unreachable'; readonly code: number; readonly about: PacketTuple; readonly aboutId: number };

export interface Packet {
  /** Whether it came in on an interface of the node, or left by one. */
  readonly direction: 'in' | 'out';
  readonly interfaceIndex: number;
  /** The IP identifier, which forwarding leaves as it is. */
  readonly id: number;
  readonly source: string;
  readonly destination: string;
  readonly body: PacketBody;
}

/** `LINKTYPE_LINUX_SLL2`: what tcpdump captures with on all interfaces. */
export const cookedLinkType = 276;
const cookedHeaderBytes = 20;
const outgoing = 4;
const ipv4 = 0x08_00;
const protocols = { icmp: 1, tcp: 6, udp: 17 };
const destinationUnreachable = 3;

/**
 * Decodes a frame of a Linux cooked capture v2 (LINKTYPE_LINUX_SLL2) that holds IPv4 (RFC 791) with TCP (RFC 9293), UDP
 * (RFC 768) or an ICMP destination unreachable. Undefined for any other, and for one cut off too early.
 */
export function decodePacket(frame: DataView): Packet | undefined {
  try {
    if (frame.getUint16(0) !== ipv4) return undefined;
    const ip = ipHeader(frame, cookedHeaderBytes);
    const body = ip === undefined ? undefined : bodyOf(frame, ip);
    if (ip === undefined || body === undefined) return undefined;
    return {
      direction: frame.getUint8(10) === outgoing ? 'out' : 'in',
      interfaceIndex: frame.getUint32(4),
      id: ip.id,
      source: ip.source,
      destination: ip.destination,
      body,
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

interface IpHeader {
  readonly protocol: number;
  readonly id: number;
  readonly source: string;
  readonly destination: string;
  /** Where its payload begins. */
  readonly payload: number;
}

function ipHeader(frame: DataView, at: number): IpHeader | undefined {
  const first = frame.getUint8(at);
  const isFirstFragment = (frame.getUint16(at + 6) & 0x1f_ff) === 0;
  if (first >> 4 !== 4 || !isFirstFragment) return undefined;
  return {
    protocol: frame.getUint8(at + 9),
    id: frame.getUint16(at + 4),
    source: addressAt(frame, at + 12),
    destination: addressAt(frame, at + 16),
    payload: at + (first & 0x0f) * 4,
  };
}

const addressAt = (frame: DataView, at: number) => [0, 1, 2, 3].map((offset) => frame.getUint8(at + offset)).join('.');

function bodyOf(frame: DataView, ip: IpHeader): PacketBody | undefined {
  const at = ip.payload;
  switch (ip.protocol) {
    case protocols.tcp: {
      const flags = frame.getUint8(at + 13);
      return {
        kind: 'tcp',
        tuple: tupleOf(frame, ip, 'tcp'),
        fin: (flags & 1) !== 0,
        rst: (flags & 4) !== 0,
        sequence: frame.getUint32(at + 4),
        acknowledgement: frame.getUint32(at + 8),
      };
    }
    case protocols.udp:
      return { kind: 'udp', tuple: tupleOf(frame, ip, 'udp') };
    case protocols.icmp:
      return frame.getUint8(at) === destinationUnreachable ? unreachable(frame, at) : undefined;
    default:
      return undefined;
  }
}

function unreachable(frame: DataView, at: number): PacketBody | undefined {
  const ip = ipHeader(frame, at + 8);
  if (ip === undefined) return undefined;
  const protocol = ip.protocol === protocols.tcp ? 'tcp' : ip.protocol === protocols.udp ? 'udp' : undefined;
  if (protocol === undefined) return undefined;
  return { kind: 'unreachable', code: frame.getUint8(at + 1), about: tupleOf(frame, ip, protocol), aboutId: ip.id };
}

const tupleOf = (frame: DataView, ip: IpHeader, protocol: Protocol): PacketTuple => ({
  protocol,
  source: ip.source,
  sourcePort: frame.getUint16(ip.payload),
  destination: ip.destination,
  destinationPort: frame.getUint16(ip.payload + 2),
});
