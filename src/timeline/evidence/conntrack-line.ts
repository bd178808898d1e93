import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';
import type { ConntrackDestroyer } from '../../domain/evidence.ts';
import type { Protocol } from '../../domain/flow.ts';

/** What one line of `conntrack --output xml,id,ktimestamp` tells of one entry. */
export interface ConntrackReport {
  /** Null in a listing. */
  readonly event: 'new' | 'update' | 'destroy' | null;
  readonly id: string;
  readonly protocol: Protocol;
  readonly clientPort: number;
  readonly backend: { readonly address: string; readonly port: number };
  readonly answered: boolean;
  /** Nanoseconds of the kernel's wall clock; undefined without net.netfilter.nf_conntrack_timestamp. */
  readonly startWallNs: bigint | undefined;
  readonly stopWallNs: bigint | undefined;
  readonly destroyer: ConntrackDestroyer;
}

const number = z.string().regex(/^\d+$/);
const direction = z.object({
  layer3: z.object({ src: z.string() }),
  layer4: z.object({ '@protoname': z.enum(['tcp', 'udp']), sport: number.transform(Number) }),
});
const timestamp = z.object({ start: number.transform(BigInt).optional(), stop: number.transform(BigInt).optional() });
const flowForm = z.object({
  '@type': z.enum(['new', 'update', 'destroy']).nullish(),
  meta: z.tuple([
    direction,
    direction,
    z.object({ id: number, unreplied: z.unknown().optional(), timestamp: timestamp.optional() }),
  ]),
});

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  isArray: (name) => name === 'meta',
});

/** libnetfilter_conntrack writes one flow a line; conntrack adds who sent a request for it, where one did. */
const lineForm =
  /^(?<xml><flow[ >].*<\/flow>)(?<userSpace> \[USERSPACE\] portid=\d+(?: progname=(?<program>\S+))?)?\s*$/;
const firstPort = /<sport>(\d+)<\/sport>/;

/** The port that the entry's first packet came from, read without parsing the rest; undefined for no flow's line. */
export function clientPortOf(line: string): number | undefined {
  const port = firstPort.exec(line)?.[1];
  return port === undefined ? undefined : Number(port);
}

/** Undefined for a line that is not of a TCP or UDP flow, such as the document's head. */
export function parseConntrackLine(line: string): ConntrackReport | undefined {
  const { xml, userSpace, program } = lineForm.exec(line)?.groups ?? {};
  if (xml === undefined) return undefined;
  const flow = flowForm.safeParse((parser.parse(xml) as { readonly flow?: unknown }).flow).data;
  if (flow === undefined) return undefined;
  const [original, reply, rest] = flow.meta;
  return {
    event: flow['@type'] ?? null,
    id: rest.id,
    protocol: original.layer4['@protoname'],
    clientPort: original.layer4.sport,
    backend: { address: reply.layer3.src, port: reply.layer4.sport },
    answered: !('unreplied' in rest),
    startWallNs: rest.timestamp?.start,
    stopWallNs: rest.timestamp?.stop,
    destroyer: userSpace === undefined ? { kind: 'kernel' } : { kind: 'user-space', program: program ?? null },
  };
}
