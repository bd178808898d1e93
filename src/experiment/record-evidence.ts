import type { Cluster } from '../domain/cluster.ts';
import { describeError } from '../domain/errors.ts';
import { evidenceKinds, type EvidenceRecording, type RawEvidence } from '../domain/evidence.ts';
import type { FlowRecord } from '../domain/flow.ts';
import { type Measured, measured, notMeasured } from '../domain/measured.ts';
import type { Conditions } from '../domain/trial.ts';
import type { Workload } from '../domain/workload.ts';

/** Evidence of one trial, while it is collected. Disposing stops that, and removes what was not kept. */
export interface TrialRecording extends AsyncDisposable {
  /** Never rejects but with the reason of an aborted signal: evidence that can't be had costs no trial. */
  finish(flows: readonly FlowRecord[], signal: AbortSignal): Promise<Measured<RawEvidence>>;
  /** Copies what was captured into a folder; absent where nothing was. */
  readonly keep?: (folder: string) => Promise<void>;
}

/**
 * Starts collecting what the matrix asks for, as far as the cluster can. To be called before flows are opened: what they
 * make in the data plane is then seen from its beginning.
 *
 * @throws the reason of an aborted signal
 */
export async function recordEvidence(
  { evidence: recorder }: Pick<Cluster, 'evidence'>,
  workload: Pick<Workload, 'pod' | 'endpoint' | 'placement'>,
  { evidence: isAsked }: Pick<Conditions, 'evidence'>,
  signal: AbortSignal,
): Promise<TrialRecording> {
  const { pod, endpoint, placement } = workload;
  if (!isAsked) return nothing('the matrix asks for none');
  if (recorder === undefined) return nothing('the cluster was not made for it');
  if (recorder.status === 'not-measured') return nothing(recorder.reason);
  if (placement === undefined) return nothing('the cluster does not tell where the pod runs');
  try {
    return recordingOf(await recorder.value.record({ ...placement, pod, endpoint }, new Set(evidenceKinds), signal));
  } catch (error) {
    signal.throwIfAborted();
    return nothing(describeError(error));
  }
}

const recordingOf = (recording: EvidenceRecording): TrialRecording => ({
  async finish(flows, signal) {
    const ports = flows.flatMap(({ localPort }) => (localPort === null ? [] : [localPort]));
    try {
      return measured(await recording.finish(new Set(ports), signal));
    } catch (error) {
      signal.throwIfAborted();
      return notMeasured(describeError(error));
    }
  },
  keep: (folder) => recording.keep(folder),
  [Symbol.asyncDispose]: () => recording[Symbol.asyncDispose](),
});

const nothing = (reason: string): TrialRecording => ({
  finish: () => Promise.resolve(notMeasured(reason)),
  [Symbol.asyncDispose]: () => Promise.resolve(),
});
