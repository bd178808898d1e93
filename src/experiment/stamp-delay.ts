import type { StampDelays } from '../domain/client.ts';
import type { FlowRecord } from '../domain/flow.ts';

/** How late a stamp of the client at that time can be; for a time that no window covers, the worst of all. */
export function stampDelayAt({ startNs, windowNs, maxMs }: StampDelays, atNs: bigint): number {
  const covering = atNs < startNs ? undefined : maxMs[Number((atNs - startNs) / windowNs)];
  return covering ?? Math.max(0, ...maxMs);
}

/** The greatest delay around any stamp that tells of a flow's end; undefined when none tells. */
export function greatestStampDelay(delays: StampDelays, flows: readonly FlowRecord[]): number | undefined {
  const stampsNs = flows.flatMap(({ end, foreignAnswer }) => [
    ...(end === null ? [] : [end.atNs]),
    ...(foreignAnswer === null ? [] : [foreignAnswer.receivedNs]),
  ]);
  return stampsNs.length === 0 ? undefined : Math.max(...stampsNs.map((atNs) => stampDelayAt(delays, atNs)));
}
