import { readFileSync } from 'node:fs';
import { describeError } from '../domain/errors.ts';
import { measured, notMeasured, type Measured } from '../domain/measured.ts';

/** Datagrams that the kernel dropped for want of room in a socket's buffer, on the way in and on the way out. */
export interface UdpBufferErrors {
  readonly receive: number;
  readonly send: number;
}

const snmpFiles = ['/proc/self/net/snmp', '/proc/self/net/snmp6'] as const;
const socketFiles = ['/proc/self/net/udp', '/proc/self/net/udp6'] as const;

/** What this network namespace counted so far, of all its processes, IPv4 and IPv6 (proc_net(5), snmp and snmp6). */
export function readUdpBufferErrors(): Measured<UdpBufferErrors> {
  return ifReadable(snmpFiles, (texts) => {
    const [ipv4, ipv6] = [parseSnmp(texts[0] ?? ''), parseSnmp6(texts[1] ?? '')];
    return { receive: ipv4.receive + ipv6.receive, send: ipv4.send + ipv6.send };
  });
}

/** Datagrams dropped by each of this namespace's sockets that are connected to `remotePort`, by local port. */
export function readSocketDrops(remotePort: number): Measured<ReadonlyMap<number, number>> {
  return ifReadable(socketFiles, (texts) => new Map(texts.flatMap((text) => parseSocketDrops(text, remotePort))));
}

/** A pair of lines starts with `Udp:`: the names, and below each its value. */
export function parseSnmp(text: string): UdpBufferErrors {
  const [names = [], values = []] = text
    .split('\n')
    .filter((line) => line.startsWith('Udp:'))
    .map((line) => line.split(/\s+/));
  const valueOf = (name: string) => Number(values[names.indexOf(name)] ?? 0);
  return { receive: valueOf('RcvbufErrors'), send: valueOf('SndbufErrors') };
}

/** A line holds a name and its value. */
export function parseSnmp6(text: string): UdpBufferErrors {
  const valueOf = (name: string) => Number(new RegExp(`^${name}\\s+(\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  return { receive: valueOf('Udp6RcvbufErrors'), send: valueOf('Udp6SndbufErrors') };
}

/** A line a socket: its second and third field are address:port in hexadecimal, the thirteenth counts its drops. */
export function parseSocketDrops(text: string, remotePort: number): readonly (readonly [number, number])[] {
  return text.split('\n').flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    const [, local, remote] = fields;
    const drops = Number(fields[12]);
    if (local === undefined || remote === undefined || !(drops > 0) || portOf(remote) !== remotePort) return [];
    return [[portOf(local), drops]];
  });
}

const portOf = (address: string): number => Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16);

/** The second file is absent where the kernel has no IPv6. */
function ifReadable<T>(
  [path, pathIpv6]: readonly [string, string],
  read: (texts: readonly string[]) => T,
): Measured<T> {
  try {
    return measured(read([readFileSync(path, 'latin1'), ...optional(pathIpv6)]));
  } catch (error) {
    return notMeasured(`the kernel's UDP counters can't be read: ${describeError(error)}`);
  }
}

function optional(path: string): readonly string[] {
  try {
    return [readFileSync(path, 'latin1')];
  } catch {
    return [];
  }
}
