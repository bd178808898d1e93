import { setTimeout as sleep } from 'node:timers/promises';
import type { FlowSpec, FlowStatus, OpenFlows } from '../../../src/domain/client.ts';
import type { FlowEnd, FlowRecord } from '../../../src/domain/flow.ts';
import { createFlowClient } from '../../../src/flows/flow-client.ts';

export const builtWorker = 'build/bundle/flow-worker.js';
export const podA = 'pod-a/0000000a';
export const podB = 'pod-b/0000000b';

const nobody = new AbortController().signal;

export const specOf = (ports: { tcp?: number; udp?: number }, changes: Partial<FlowSpec> = {}): FlowSpec => ({
  endpoint: { address: '127.0.0.1', tcpPort: ports.tcp ?? 1, udpPort: ports.udp ?? 1 },
  tcp: ports.tcp === undefined ? 0 : 1,
  udp: ports.udp === undefined ? 0 : 1,
  tcpHeartbeatMs: 50,
  udpIntervalMs: 20,
  tcpReadTimeoutMs: 10_000,
  udpSilenceMs: 10_000,
  ...changes,
});

export const openFlows = (spec: FlowSpec, signal: AbortSignal = nobody): Promise<OpenFlows> =>
  createFlowClient({ workerFile: builtWorker }).open(spec, signal);

/** Opens, and waits until every flow is answered. */
export async function openAnswered(spec: FlowSpec): Promise<OpenFlows> {
  const flows = await openFlows(spec);
  await statusWhere(flows, ({ tcpEstablished, udpReplying }) => tcpEstablished + udpReplying === spec.tcp + spec.udp);
  return flows;
}

export async function statusWhere(flows: OpenFlows, holds: (status: FlowStatus) => boolean): Promise<FlowStatus> {
  for (;;) {
    const status = await flows.status();
    if (holds(status)) return status;
    await sleep(5);
  }
}

/** Closes the flows and gives the only record. */
export async function theRecord(flows: OpenFlows): Promise<FlowRecord> {
  const [record, ...others] = (await flows.finish()).flows;
  if (record === undefined || others.length > 0) throw new Error('one flow was opened');
  return record;
}

/** The end of that kind. */
export function endOf<K extends FlowEnd['kind']>({ end }: FlowRecord, kind: K): Extract<FlowEnd, { kind: K }> {
  const isIt = (found: FlowEnd): found is Extract<FlowEnd, { kind: K }> => found.kind === kind;
  if (end === null || !isIt(end)) throw new Error(`the flow ended by ${end?.kind ?? 'nothing'}, not by ${kind}`);
  return end;
}

export const msBetween = (fromNs: bigint, toNs: bigint): number => Number(toNs - fromNs) / 1e6;

/** The value, which must be there. */
export function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('something was recorded');
  return value;
}
