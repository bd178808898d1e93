import { expect, test } from 'vitest';
import type { EvidenceKind, EvidenceRecorder, EvidenceSite, RawEvidence } from '../../../src/domain/evidence.ts';
import type { FlowRecord } from '../../../src/domain/flow.ts';
import { measured, notMeasured } from '../../../src/domain/measured.ts';
import { recordEvidence } from '../../../src/experiment/record-evidence.ts';

const workload = {
  pod: 'probe',
  endpoint: { address: '172.18.0.2', tcpPort: 30777, udpPort: 30777 },
  placement: { namespace: 'trial', podAddress: '10.244.1.2', node: 'worker', containerId: '6a8bf1' },
};
const seen: RawEvidence = {
  podAddress: '10.244.1.2',
  commits: measured([]),
  runtime: notMeasured('no such observer'),
  kubeProxy: notMeasured('no such observer'),
  conntrack: measured([]),
  rules: measured([]),
  packets: measured([]),
  costs: measured({}),
};
const flowAt = (localPort: number | null): FlowRecord => ({
  id: 'tcp-0',
  protocol: 'tcp',
  localPort,
  firstAnswer: null,
  lastAnswer: null,
  unservedSinceNs: null,
  foreignAnswer: null,
  announcedNs: null,
  end: null,
  sent: 0,
  answered: 0,
  dialError: null,
});
const { signal } = new AbortController();

/** Stands in behind the port: what is asked of it is what matters here. */
function recorderOf(finish: () => Promise<RawEvidence> = () => Promise.resolve(seen)) {
  const asked: { site?: EvidenceSite; kinds?: readonly EvidenceKind[]; ports?: readonly number[]; disposed?: true } =
    {};
  const recorder: EvidenceRecorder = {
    record: (site, kinds) => {
      Object.assign(asked, { site, kinds: [...kinds] });
      return Promise.resolve({
        finish: (ports) => {
          asked.ports = [...ports];
          return finish();
        },
        keep: () => Promise.resolve(),
        [Symbol.asyncDispose]: () => {
          asked.disposed = true;
          return Promise.resolve();
        },
      });
    },
  };
  return { asked, recorder };
}
const reasonOf = async (cluster: Parameters<typeof recordEvidence>[0], on: object = workload, evidence = true) => {
  const recording = await recordEvidence(cluster, on as typeof workload, { evidence }, signal);
  const result = await recording.finish([], signal);
  expect(recording.keep).toBeUndefined();
  return result.status === 'not-measured' ? result.reason : 'it was measured';
};

test('a trial is observed where its pod runs, by its flows’ own ports, and given up when it is disposed of', async () => {
  const { asked, recorder } = recorderOf();
  {
    await using recording = await recordEvidence(
      { evidence: measured(recorder) },
      workload,
      { evidence: true },
      signal,
    );
    expect(await recording.finish([flowAt(40_001), flowAt(null), flowAt(40_002)], signal)).toEqual(measured(seen));
    expect(asked.disposed).toBeUndefined();
  }
  expect(asked).toEqual({
    site: { ...workload.placement, pod: workload.pod, endpoint: workload.endpoint },
    kinds: ['commits', 'runtime', 'conntrack', 'rules', 'kube-proxy', 'packets'],
    ports: [40_001, 40_002],
    disposed: true,
  });
});

test('each way of having no evidence has its own reason', async () => {
  const { recorder } = recorderOf();
  expect(await reasonOf({ evidence: measured(recorder) }, workload, false)).toBe('the matrix asks for none');
  expect(await reasonOf({})).toBe('the cluster was not made for it');
  expect(await reasonOf({ evidence: notMeasured('it is an existing cluster') })).toBe('it is an existing cluster');
  const unplaced = { pod: workload.pod, endpoint: workload.endpoint };
  expect(await reasonOf({ evidence: measured(recorder) }, unplaced)).toBe(
    'the cluster does not tell where the pod runs',
  );
});

test('a recorder that fails costs the evidence, and not the trial', async () => {
  const cluster = { evidence: measured({ record: () => Promise.reject(new Error('no room')) }) };
  expect(await reasonOf(cluster)).toBe('no room');
  const { recorder } = recorderOf(() => Promise.reject(new Error('torn')));
  const recording = await recordEvidence({ evidence: measured(recorder) }, workload, { evidence: true }, signal);
  expect(await recording.finish([], signal)).toEqual(notMeasured('torn'));
});

test('an abort is no want of evidence: it is passed on', async () => {
  const aborted = AbortSignal.abort(new Error('stop'));
  const { recorder } = recorderOf(() => Promise.reject(new Error('torn')));
  const recording = await recordEvidence({ evidence: measured(recorder) }, workload, { evidence: true }, signal);
  await expect(recording.finish([], aborted)).rejects.toThrow('stop');
});
