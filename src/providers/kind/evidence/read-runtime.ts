import type { EvidenceSite, RuntimeSighting } from '../../../domain/evidence.ts';
import { type Measured, measured, notMeasured } from '../../../domain/measured.ts';
import { runtimeSightings } from '../../../timeline/evidence/runtime-log.ts';
import type { WallClockMoments } from '../../../timeline/wall-clock.ts';
import type { NodeFiles } from './node-files.ts';

export async function readRuntime(
  files: NodeFiles,
  { site: { node, containerId }, moments }: { readonly site: EvidenceSite; readonly moments: WallClockMoments },
): Promise<Measured<readonly RuntimeSighting[]>> {
  if (containerId === null) return notMeasured('the cluster does not tell the identifier of the pod’s container');
  if ((await files.text('runtime.missing')) !== undefined) return notMeasured(`node ${node} has no journalctl`);
  const sightings = runtimeSightings((await files.text('runtime.log')) ?? '', containerId, moments);
  // it may complain of one of its files, and read the others
  if (sightings.length > 0) return measured(sightings);
  const complaint = ((await files.text('runtime.err')) ?? '').trim().split('\n').at(-1) ?? '';
  if (complaint !== '') return notMeasured(`the log of containerd on node ${node} can't be read: ${complaint}`);
  return notMeasured(`the log of containerd on node ${node} says nothing of the container’s end`);
}
