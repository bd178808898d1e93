import { expect, test } from 'vitest';
import { attemptRows } from '../../../../src/charts/timeline/attempt-lane.ts';
import { lanesOf } from '../../../../src/charts/timeline/lanes.ts';
import { judgeNewConnections } from '../../../../src/domain/judge-new-connections.ts';
import { measured, notMeasured } from '../../../../src/domain/measured.ts';
import type { ConnectionPath } from '../../../../src/domain/new-connections.ts';
import type { Trial } from '../../../../src/domain/trial.ts';
import { answered, columnsOf, every10Ms, failed, placeAttempt, type AttemptRow } from '../../../fixtures/attempts.ts';
import { drainedTrial, pod, successor } from '../../metrics/example-trial.ts';

const old = (atMs: number) => answered(atMs, `${pod}/1`);
const fresh = (atMs: number) => answered(atMs, `${successor}/2`);

const seriesOf = (path: ConnectionPath, rows: readonly AttemptRow[]) => ({
  path,
  protocol: 'tcp' as const,
  seen: judgeNewConnections(columnsOf(rows), { place: placeAttempt, pod, notReadyMs: measured(24) }),
});
const trialOf = (...series: readonly ReturnType<typeof seriesOf>[]): Trial => ({
  ...drainedTrial,
  newConnections: measured(series),
});

const turned = [
  ...every10Ms(-50, 100, old),
  ...every10Ms(100, 300, failed),
  ...every10Ms(300, 500, fresh),
] as readonly AttemptRow[];

test('spans follow each other without a gap: the pod, failures, another pod', () => {
  expect(attemptRows(trialOf(seriesOf('host-node', turned)))).toMatchObject([
    {
      name: 'TCP host → node',
      spans: [
        { fromMs: -50, toMs: 100, kind: 'pod' },
        { fromMs: 100, toMs: 300, kind: 'failing' },
        { fromMs: 300, toMs: 490, kind: 'other-pod' },
      ],
      failing: { untilMs: 300, isOpen: false },
    },
  ]);
});

const lane = (trial: Trial) => lanesOf(trial).find(({ name }) => name === 'new connections');
const words = (trial: Trial) =>
  lane(trial)?.moments.map(({ what, when }) => `${what} ${when}`.replaceAll('\u00a0', ' '));

test('the lane tells of each path from when to when attempts failed, or that they failed to the end', () => {
  const stopped = [...every10Ms(-50, 100, old), ...every10Ms(100, 300, failed)] as readonly AttemptRow[];
  const calm = every10Ms(-50, 300, old);
  const trial = trialOf(
    seriesOf('host-node', turned),
    seriesOf('same-node-pod', stopped),
    seriesOf('cross-node-pod', calm),
  );
  expect(words(trial)).toEqual(['TCP host → node fails 100–300 ms', 'TCP pod, same node fails from 100 ms on']);
  expect(lane(trial)?.attempts).toHaveLength(3);
});

test('a path that was not measured has no row, and a trial that dialled none no lane', () => {
  const none = { path: 'same-node-pod', protocol: 'tcp', seen: notMeasured('one node') } as const;
  expect(attemptRows({ ...drainedTrial, newConnections: measured([none]) })).toEqual([]);
  expect(lane({ ...drainedTrial, newConnections: notMeasured('the matrix asks for none') })).toBeUndefined();
});
