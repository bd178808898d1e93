import { AsyncDisposableStack } from '@whatwg-node/disposablestack';
import type { Protocol } from '../domain/flow.ts';
import { measured, notMeasured, type Measured } from '../domain/measured.ts';
import type {
  AttemptRecord,
  ConnectionPath,
  NewConnectionClient,
  NewConnectionRecord,
  OpenNewConnections,
} from '../domain/new-connections.ts';
import type { Conditions } from '../domain/trial.ts';
import type { Endpoint, Workload } from '../domain/workload.ts';

const protocols: readonly Protocol[] = ['tcp', 'udp'];

/** New connections on every path of a workload. */
export interface Dialling extends AsyncDisposable {
  /** Stops on every path, and gives what was seen. Never rejects. */
  finish(): Promise<Measured<readonly NewConnectionRecord[]>>;
}

/** Whether conditions ask for new connections. */
export const areDialled = ({ newConnectionIntervalMs }: Conditions): boolean => newConnectionIntervalMs > 0;

/**
 * Dials the workload on every path that it has, until finished. A path that can't be dialled is told of with its reason;
 * no trial fails for it.
 *
 * @param hostClient absent: nobody dials from here
 * @throws the abort reason
 */
export async function dialNewConnections(
  hostClient: NewConnectionClient | undefined,
  workload: Pick<Workload, 'endpoint' | 'otherPaths'>,
  conditions: Conditions,
  signal: AbortSignal,
): Promise<Dialling> {
  if (!areDialled(conditions)) return withoutAny('the matrix asks for none');
  if (hostClient === undefined) return withoutAny('there is no client that dials');
  await using undo = new AsyncDisposableStack();
  const opening = await Promise.allSettled(
    pathsOf(workload, hostClient).map(async ({ path, endpoint, client }): Promise<OpenPath> => {
      if (endpoint.status === 'not-measured') return { path, finish: () => Promise.resolve(endpoint) };
      const { newConnectionIntervalMs: intervalMs, newConnectionLimitMs: limitMs } = conditions;
      const spec = { endpoint: endpoint.value, path, protocols, intervalMs, limitMs };
      const open = undo.use(await client.open(spec, signal));
      return { path, finish: () => open.finish() };
    }),
  );
  const paths = opening.map((path) => {
    if (path.status === 'rejected') throw path.reason;
    return path.value;
  });
  const acquired = undo.move();
  return {
    finish: async () => measured((await Promise.all(paths.map(recordsOf))).flat()),
    [Symbol.asyncDispose]: () => acquired.disposeAsync(),
  };
}

interface OpenPath {
  readonly path: ConnectionPath;
  readonly finish: OpenNewConnections['finish'];
}

interface DialledPath {
  readonly path: ConnectionPath;
  readonly endpoint: Measured<Endpoint>;
  readonly client: NewConnectionClient;
}

const pathsOf = (
  { endpoint, otherPaths = [] }: Pick<Workload, 'endpoint' | 'otherPaths'>,
  hostClient: NewConnectionClient,
): readonly DialledPath[] => [
  { path: 'host-node', endpoint: measured(endpoint), client: hostClient },
  ...otherPaths.map((other) => ({ client: hostClient, ...other })),
];

async function recordsOf({ path, finish }: OpenPath): Promise<readonly NewConnectionRecord[]> {
  const seen = await finish();
  return protocols.map((protocol) => ({ path, protocol, seen: ofProtocol(seen, protocol) }));
}

function ofProtocol(seen: Measured<readonly AttemptRecord[]>, protocol: Protocol): Measured<AttemptRecord> {
  if (seen.status === 'not-measured') return seen;
  const record = seen.value.find((one) => one.protocol === protocol);
  return record === undefined ? notMeasured(`the client told nothing of ${protocol.toUpperCase()}`) : measured(record);
}

const withoutAny = (reason: string): Dialling => ({
  finish: () => Promise.resolve(notMeasured(reason)),
  [Symbol.asyncDispose]: () => Promise.resolve(),
});
