import { expect, test } from 'vitest';
import { podFailure } from '../../../src/kube/pod-failure.ts';
import { parsePod } from '../../../src/kube/pod-state.ts';

const stuck = (state: object, more: object = {}) =>
  parsePod({
    metadata: { name: 'a', resourceVersion: '1' },
    spec: {},
    status: { containerStatuses: [{ name: 'probe', restartCount: 0, state }], ...more },
  });

test.each([
  ['ErrImageNeverPull', 'requirement'],
  ['ImagePullBackOff', 'requirement'],
  ['InvalidImageName', 'requirement'],
  ['CreateContainerConfigError', 'harness'],
  ['CrashLoopBackOff', 'harness'],
] as const)('a container that waits for %s fails the deployment at once', (reason, kind) => {
  const failure = podFailure(stuck({ waiting: { reason, message: 'as the kubelet says' } }), 'probe:1', 0);
  expect(failure?.kind).toBe(kind);
  expect(failure?.facts.found).toBe(`${reason}: as the kubelet says`);
});

test.each(['ContainerCreating', 'PodInitializing', 'ErrImagePull'])(
  'one that waits for %s may still start',
  (reason) => {
    expect(podFailure(stuck({ waiting: { reason } }), 'probe:1', 60_000)).toBeUndefined();
  },
);

test('a container that ended while it was waited for says with what', () => {
  const failure = podFailure(stuck({ terminated: { exitCode: 2, reason: 'Error' } }), 'probe:1', 0);
  expect(failure?.message).toContain('exit code 2 (Error)');
});

test('a pod that no node takes is given time, then up', () => {
  const full = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes are available' };
  const pod = stuck({}, { conditions: [full] });
  expect(podFailure(pod, 'probe:1', 1000)).toBeUndefined();
  expect(podFailure(pod, 'probe:1', 60_000)).toMatchObject({ kind: 'requirement', facts: { found: full.message } });
});
