import { judgeCause } from '../domain/cause.ts';
import { detectionsOf, type FlowTraces } from '../domain/detection.ts';
import type { ConntrackEntry, PacketSighting, RawEvidence } from '../domain/evidence.ts';
import type { Flow, FlowRecord, Protocol } from '../domain/flow.ts';
import { groupBy } from '../domain/group-by.ts';
import { mapMeasured, type Measured, notMeasured, valueOf } from '../domain/measured.ts';
import type { ContainerEnd } from '../domain/trial.ts';

/** What of a trial the evidence is read against. */
export interface EvidenceContext {
  readonly records: readonly FlowRecord[];
  readonly container: Measured<ContainerEnd>;
  readonly place: FlowTraces['place'];
}

/**
 * Flows with why they ended and with what told of it. `flows` are those of the records, in their order. Pure. Without
 * evidence they stay as they are.
 */
export function withCauses(
  flows: readonly Flow[],
  evidence: Measured<RawEvidence>,
  { records, container, place }: EvidenceContext,
): readonly Flow[] {
  if (evidence.status === 'not-measured') return flows;
  const { podAddress, conntrack, packets } = evidence.value;
  const entriesOf = byFlow(conntrack);
  const packetsOf = byFlow(packets);
  const refusals = (valueOf(packets) ?? []).filter(
    ({ kind, protocol, direction }) => kind === 'icmp-unreachable' && protocol === 'udp' && direction === 'to-client',
  );
  const killed = container.status === 'measured' && isKilled(container.value);
  return flows.map((flow, index) => {
    const record = records[index];
    if (record === undefined) return flow;
    const traces: FlowTraces = {
      entries: entriesOf(record),
      packets: mapMeasured(packetsOf(record), (seen) => sinceServed(seen, record)),
      refusals: record.protocol === 'udp' ? refusals : [],
      podAddress,
      killed,
      toldMs: record.end === null ? null : place(record.end.atNs),
      place,
    };
    return { ...flow, cause: judgeCause(flow, traces), detections: detectionsOf(flow, traces) };
  });
}

const sigkill = 9;
/** A runtime's exit code for it: 128 and the signal's number. */
const killedExitCode = 128 + sigkill;

const isKilled = ({ exitCode, signal }: ContainerEnd): boolean => signal === sigkill || exitCode === killedExitCode;

/** What tells of an end comes no sooner than the last ping left that the pod answered; an answer to that one may be among it. */
function sinceServed(seen: readonly PacketSighting[], record: FlowRecord): readonly PacketSighting[] {
  const served = record.lastAnswer ?? record.firstAnswer;
  return served === null ? seen : seen.filter(({ at }) => at.latestNs >= served.sentNs);
}

/** Looks things up by the client's port that they name. */
function byFlow<T extends Pick<ConntrackEntry, 'protocol' | 'clientPort'>>(things: Measured<readonly T[]>) {
  const found = mapMeasured(things, (all) => groupBy(all, ({ protocol, clientPort }) => key(protocol, clientPort)));
  return ({ protocol, localPort }: FlowRecord): Measured<readonly T[]> =>
    localPort === null
      ? notMeasured('the flow has no port of its own to know it by')
      : mapMeasured(found, (flows) => flows.get(key(protocol, localPort)) ?? []);
}

const key = (protocol: Protocol, port: number): string => `${protocol} ${port}`;
