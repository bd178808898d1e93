import type { ConntrackEntry, Moment } from '../../domain/evidence.ts';
import { measured, type Measured, notMeasured } from '../../domain/measured.ts';
import type { WallClockMoments } from '../wall-clock.ts';
import { clientPortOf, type ConntrackReport, parseConntrackLine } from './conntrack-line.ts';

/** What was kept of a node's connection tracking. */
export interface ConntrackRecord {
  /** Lines of `conntrack --event --output xml,id,ktimestamp`. */
  readonly events: string;
  /** Lines of `conntrack --dump` in the same form, after the last event. */
  readonly dump: string;
}

/** The entries of the flows that the ports name, in the order in which they came up. */
export function conntrackEntries(
  { events, dump }: ConntrackRecord,
  clientPorts: ReadonlySet<number>,
  moments: WallClockMoments,
): readonly ConntrackEntry[] {
  const entries: ConntrackEntry[] = [];
  const latest = new Map<string, number>();
  for (const line of [...events.split('\n'), ...dump.split('\n')]) {
    const port = clientPortOf(line);
    if (port === undefined || !clientPorts.has(port)) continue;
    const report = parseConntrackLine(line);
    if (report === undefined) continue;
    const known = latest.get(report.id);
    const before = known === undefined ? undefined : entries[known];
    // an identifier comes again where a flow's new entry takes the place in memory of the old one (nf_ct_get_id)
    const isAnother = before === undefined || (report.event === 'new' && before.destroyed !== null);
    const at = isAnother || known === undefined ? entries.length : known;
    latest.set(report.id, at);
    entries[at] = next(isAnother ? undefined : before, report, moments);
  }
  return entries;
}

function next(before: ConntrackEntry | undefined, report: ConntrackReport, moments: WallClockMoments): ConntrackEntry {
  const { id, protocol, clientPort, backend, destroyer, startWallNs, stopWallNs } = report;
  return {
    id,
    protocol,
    clientPort,
    backend,
    answered: report.answered || before?.answered === true,
    created: stamped(startWallNs, moments),
    destroyed: report.event === 'destroy' ? { at: stamped(stopWallNs, moments), by: destroyer } : null,
  };
}

const stamped = (wallNs: bigint | undefined, moments: WallClockMoments): Measured<Moment> =>
  wallNs === undefined
    ? notMeasured('the kernel told no time of the entry (net.netfilter.nf_conntrack_timestamp)')
    : measured(moments(wallNs));
