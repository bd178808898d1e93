import { setTimeout as sleep } from 'node:timers/promises';
import type { Protocol } from '../../../../src/domain/flow.ts';
import { attemptOutcomes, type AttemptRecord, type NewConnectionSpec } from '../../../../src/domain/new-connections.ts';
import { createNewConnectionClient } from '../../../../src/flows/new-connections/new-connection-client.ts';

export const builtWorker = 'build/bundle/new-connections-worker.js';

const nobody = new AbortController().signal;

export const specOf = (
  ports: { readonly tcp?: number; readonly udp?: number },
  changes: Partial<NewConnectionSpec> = {},
): NewConnectionSpec => ({
  endpoint: { address: '127.0.0.1', tcpPort: ports.tcp ?? 1, udpPort: ports.udp ?? 1 },
  path: 'host-node',
  protocols: (['tcp', 'udp'] as const).filter((protocol) => ports[protocol] !== undefined),
  intervalMs: 5,
  limitMs: 300,
  ...changes,
});

export const openDialing = (spec: NewConnectionSpec, workerFile = builtWorker, signal: AbortSignal = nobody) =>
  createNewConnectionClient({ workerFile }).open(spec, signal);

export type Records = Readonly<Record<Protocol, AttemptRecord>>;

/** Dials until `during` is over, and gives what was seen. */
export async function dialWhile(
  spec: NewConnectionSpec,
  during: () => Promise<unknown>,
): Promise<readonly AttemptRecord[]> {
  await using dialing = await openDialing(spec);
  await during();
  const seen = await dialing.finish();
  if (seen.status === 'not-measured') throw new Error(seen.reason);
  return seen.value;
}

export const dialFor = (spec: NewConnectionSpec, ms: number) => dialWhile(spec, () => sleep(ms));

/** `refused`, or `answered pod-a/0000000a`, of each attempt; undefined where it was in flight. */
export const namesOf = ({ attempts: { outcome, detail, details } }: AttemptRecord): readonly (string | undefined)[] =>
  [...outcome].map((code, index) => {
    const name = attemptOutcomes[code - 1];
    const about = details[(detail[index] ?? 0) - 1];
    return name === undefined || about === undefined ? name : `${name} ${about}`;
  });

/** The different ways in which settled attempts went. */
export const kindsOf = (record: AttemptRecord): ReadonlySet<string> =>
  new Set(namesOf(record).filter((name) => name !== undefined));

export function only(records: readonly AttemptRecord[]): AttemptRecord {
  const [record, ...others] = records;
  if (record === undefined || others.length > 0) throw new Error('one protocol was dialled');
  return record;
}
