import { describe, expect, test } from 'vitest';
import type { ArmAggregate } from '../../../src/domain/aggregate.ts';
import { measured, notMeasured, type Measured } from '../../../src/domain/measured.ts';
import type { ConnectionPath } from '../../../src/domain/new-connections.ts';
import type { PathCounts, PathSummary } from '../../../src/domain/path-summary.ts';
import { keyFindings } from '../../../src/report/document/key-findings.ts';
import { newConnectionsOf } from '../../../src/report/document/new-connections.ts';
import { newConnectionSentence } from '../../../src/report/new-connection-sentence.ts';
import { pathRows, unmeasuredPaths } from '../../../src/report/path-rows.ts';
import { renderTable } from '../../../src/report/table.ts';
import { aggregateOf, armOf, publishedArms } from './example-reports.ts';

const counts = (failureWindowMs: number, refused: number): PathCounts => ({
  attempts: 1_000 + refused,
  outcomes: { answered: 1_000, ...(refused === 0 ? {} : { refused }) },
  failureWindowMs: measured(failureWindowMs),
  podAnswersAfterNotReady: measured(refused),
});
const seenOn = (path: ConnectionPath, seen: Measured<PathCounts>): readonly PathSummary[] =>
  (['tcp', 'udp'] as const).map((protocol) => ({ path, protocol, seen }));

const nobody = notMeasured('no client runs on a node other than node-a: one node');

/** An arm of two repeats that dialled on two paths and could not on a third. */
function dialled(values: Readonly<Record<string, readonly [number, ...number[]]>>): ArmAggregate {
  const arm = armOf('drain', { tcp: [], udp: [], repeats: 2, values });
  const windows = [200, 240];
  return {
    ...arm,
    trials: arm.trials.map((trial, index) => ({
      ...trial,
      newConnections: [
        ...seenOn('host-node', measured(counts(windows[index] ?? NaN, 20))),
        ...seenOn('same-node-pod', measured(counts(0, 0))),
        ...seenOn('cross-node-pod', nobody),
      ],
    })),
  };
}
const arm = dialled({
  'new-tcp-failure-window': [200, 240],
  'new-udp-failure-window': [0, 0],
  'new-tcp-first-failure': [3, 5],
  'dead-endpoint-window': [250, 260],
});
const plain = (text: string) => text.replaceAll('\u00a0', ' ');
const sentenceOf = (one: ArmAggregate) => {
  const sentence = newConnectionSentence(one, 'drains · delete');
  return sentence === undefined ? undefined : plain(sentence.strong + sentence.rest);
};

describe('a path’s row', () => {
  test('adds up the attempts of all repeats, and sums up the windows, one a repeat', () => {
    const [first, , third, ...others] = pathRows(arm);
    expect(first).toMatchObject({
      path: 'host-node',
      protocol: 'tcp',
      attempts: 2_040,
      outcomes: { answered: 2_000, refused: 40 },
      failureWindow: { value: { n: 2, min: 200, max: 240 } },
      answersAfterNotReady: { value: { median: 20 } },
    });
    expect(third).toMatchObject({ path: 'same-node-pod', outcomes: { answered: 2_000 } });
    expect(others).toHaveLength(1);
  });

  test('is missing where no repeat dialled, and the reason is told once for both protocols', () => {
    expect(unmeasuredPaths(aggregateOf({ arms: [arm] }))).toEqual([
      `not measured: new connections pod, other node: ${nobody.status === 'not-measured' ? nobody.reason : ''}`,
    ]);
  });
});

describe('the sentence of an arm', () => {
  test('tells the window as clients met it, since when, and the advertised one beside it', () => {
    expect(sentenceOf(arm)).toBe(
      'drains · delete: new TCP connections failed for 220 ms (200–240), starting 4 ms (3–5) after SIGTERM;' +
        ' new UDP exchanges never failed. The EndpointSlice still listed the dead pod for 255 ms (250–260).' +
        ' The pod still answered 20 TCP and 20 UDP attempts that began after ready=false.',
    );
  });

  test('says of attempts that failed to the end when they began, and of a missing number why it is missing', () => {
    expect(sentenceOf(dialled({ 'new-tcp-first-failure': [3, 5] }))).toMatch(
      /^drains · delete: new TCP connections failed until the observation ended, starting 4 ms \(3–5\) after SIGTERM; new UDP exchanges were not measured \(.+\)\./,
    );
  });

  test('is none for an arm that dialled none', () => {
    expect(publishedArms.map((one) => newConnectionSentence(one, 'x'))).toEqual(publishedArms.map(() => undefined));
  });
});

test('terminal and document tell the sentence and every path that was dialled; without any they tell nothing', () => {
  const text = renderTable(aggregateOf({ arms: [arm] }), { width: 100, color: false });
  for (const told of ['failed for 220 ms', 'TCP host → node', 'UDP pod, same node', 'pod, other node: no client']) {
    expect(text).toContain(told);
  }
  expect(text).toMatch(/TCP host → node +2000 +40 +220 ms \(200–240\)/);
  const document = JSON.stringify([
    ...newConnectionsOf(aggregateOf({ arms: [arm] })),
    ...keyFindings(aggregateOf({ arms: [arm] }), { most: 5 }),
  ]);
  for (const told of ['TCP host → node', 'failed for', 'pod, other node']) expect(document).toContain(told);
  expect(newConnectionsOf(aggregateOf())).toEqual([]);
  expect(renderTable(aggregateOf(), { width: 100, color: false })).not.toMatch(/new connections ·|host → node/);
});
