import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AsyncDisposableStack } from '@whatwg-node/disposablestack';
import type { EvidenceKind, EvidenceRecorder, EvidenceRecording, EvidenceSite } from '../../../domain/evidence.ts';
import { type Measured, notMeasured } from '../../../domain/measured.ts';
import { whatFailed } from '../../../process/command-failure.ts';
import { measureWallClock, wallClockMoments } from '../../../timeline/wall-clock.ts';
import { createDocker, type Docker } from '../docker.ts';
import { readAuditLog } from './commits.ts';
import { lendTcpdump } from './lend-tcpdump.ts';
import { nodeFiles } from './node-files.ts';
import { type DockerAccess, nothingObserved, observeNode } from './node-recording.ts';
import { readEvidence } from './read-evidence.ts';

const cleanUpMs = 20_000;
const copyMs = 60_000;

/**
 * In the node, as `docker cp` can't read what is mounted over its /tmp.
 * A namespace holds one workload at a time, and trials come one after the other in a given one.
 */
const folderOf = ({ namespace, pod }: EvidenceSite) => `/var/log/drainwatch-evidence/${namespace}.${pod}`;

/** Observes on the nodes of a kind cluster, and reads the audit log of its control plane. */
export function createEvidenceRecorder(access: DockerAccess, controlPlane: string): EvidenceRecorder {
  const lent = new Map<string, Promise<void>>();
  // without it packets are not measured, with the reason that the node has none
  const lend = (node: string, signal: AbortSignal): Promise<void> => {
    const lending = lent.get(node) ?? lendTcpdump(access, node, signal).catch(() => undefined);
    lent.set(node, lending);
    return lending;
  };
  return { record: (site, kinds, signal) => record({ access, controlPlane, lend }, site, kinds, signal) };
}

interface Recorder {
  readonly access: DockerAccess;
  readonly controlPlane: string;
  readonly lend: (node: string, signal: AbortSignal) => Promise<void>;
}

async function record(
  { access, controlPlane, lend }: Recorder,
  site: EvidenceSite,
  kinds: ReadonlySet<EvidenceKind>,
  signal: AbortSignal,
): Promise<EvidenceRecording> {
  if (kinds.has('packets')) await lend(site.node, signal);
  signal.throwIfAborted();
  const docker = createDocker(access.runner, access.environment);
  await using undo = new AsyncDisposableStack();
  const local = await mkdtemp(join(tmpdir(), 'drainwatch-evidence-'));
  undo.defer(() => rm(local, { recursive: true, force: true }));
  const folder = folderOf(site);
  undo.defer(() => removeFolder(docker, site.node, folder));
  const before = measureWallClock();
  const node = await observeNode(access, site, { folder, kinds }, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    return nothingObserved(error);
  });
  undo.use(node);
  const acquired = undo.move();
  return {
    async finish(clientPorts, finishSignal) {
      const ended = await node.end(finishSignal);
      const moments = wallClockMoments(before, measureWallClock());
      const copied =
        ended.status === 'measured' ? await copy(docker, site.node, { folder, local }, finishSignal) : ended;
      const log = await logOf(docker, controlPlane, { site, kinds }, finishSignal);
      if (log.status === 'measured') await writeFile(join(local, 'audit.ndjson'), log.value);
      const { lines } = node;
      await writeFile(join(local, 'rules.ndjson'), lines.map(({ line }) => `${line}\n`).join(''));
      return readEvidence({ files: nodeFiles(local), copied, lines, log, site, kinds, clientPorts, moments });
    },
    async keep(target) {
      await mkdir(target, { recursive: true });
      await cp(local, target, { recursive: true });
    },
    [Symbol.asyncDispose]: () => acquired.disposeAsync(),
  };
}

/** Best effort: the cluster is this project's, and ends. */
async function removeFolder(docker: Docker, node: string, folder: string): Promise<void> {
  await docker(['exec', node, 'rm', '-rf', folder], { timeoutMs: cleanUpMs }).catch(() => undefined);
}

async function copy(
  docker: Docker,
  node: string,
  { folder, local }: { readonly folder: string; readonly local: string },
  signal: AbortSignal,
): Promise<Measured<null>> {
  try {
    await docker(['cp', `${node}:${folder}/.`, local], { signal, timeoutMs: copyMs });
    return { status: 'measured', value: null };
  } catch (error) {
    signal.throwIfAborted();
    return notMeasured(`what was observed on node ${node} can't be copied: ${whatFailed(error)}`);
  }
}

const logOf = (
  docker: Docker,
  controlPlane: string,
  { site, kinds }: { readonly site: EvidenceSite; readonly kinds: ReadonlySet<EvidenceKind> },
  signal: AbortSignal,
): Promise<Measured<string>> =>
  kinds.has('commits')
    ? readAuditLog(docker, controlPlane, site.namespace, signal)
    : Promise.resolve(notMeasured('not asked for: commits'));
