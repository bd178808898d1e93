import { expect, test } from 'vitest';
import {
  checkAskedBesides,
  differencesBetween,
  greatestDemand,
  levelsOf,
  type Variation,
} from '../../../src/assembly/aa-levels.ts';
import type { Requirement } from '../../../src/domain/scenario.ts';
import { matrix } from '../report/example-reports.ts';

const kind = { name: 'kind', capabilities: new Set<Requirement>(['kubernetes-api', 'cluster-configuration']) };
const local = { name: 'local', capabilities: new Set<Requirement>() };
const refusal = expect.objectContaining({ kind: 'input' }) as Error;
const planned = (newConnectionIntervalMs: number, evidence = false) => ({
  matrix: { ...matrix, newConnectionIntervalMs, evidence },
  isolation: { lanes: 5, spacingMs: 1000 },
});
const observing: Variation = {
  varied: 'observing',
  observing: [[], ['evidence'], ['new-connections'], ['new-connections', 'evidence']],
};

test('levels of observing differ in what is observed alone, with the lanes of the plan', () => {
  const levels = levelsOf(observing, planned(0, true), kind);
  expect(levels).toEqual([
    {
      id: 'level-off',
      name: 'without observing',
      lanes: 5,
      observing: { evidence: false, newConnectionIntervalMs: 0 },
    },
    {
      id: 'level-evidence',
      name: 'with evidence',
      lanes: 5,
      observing: { evidence: true, newConnectionIntervalMs: 0 },
    },
    {
      id: 'level-new-connections',
      name: 'with new connections every 10 ms',
      lanes: 5,
      observing: { evidence: false, newConnectionIntervalMs: 10 },
    },
    {
      id: 'level-evidence-and-new-connections',
      name: 'with evidence and new connections every 10 ms',
      lanes: 5,
      observing: { evidence: true, newConnectionIntervalMs: 10 },
    },
  ]);
});

const lanes: Variation = { varied: 'lanes', lanes: [1, 5] };

test('an interval that was asked for is that of the levels that dial', () => {
  const intervals = levelsOf(observing, planned(25), kind).map((level) => level.observing.newConnectionIntervalMs);
  expect(intervals).toEqual([0, 0, 25, 25]);
});

test('an interval is refused where no level dials, and none where one does', () => {
  const evidence: Variation = { varied: 'observing', observing: [[], ['evidence']] };
  expect(() => {
    checkAskedBesides(evidence, { newConnections: 10 });
  }).toThrow(refusal);
  expect(() => {
    checkAskedBesides(observing, { newConnections: 0 });
  }).toThrow(refusal);
  for (const [variation, intervalMs] of [
    [observing, 10],
    [observing, undefined],
    [evidence, 0],
    [lanes, 10],
  ] as const) {
    checkAskedBesides(variation, intervalMs === undefined ? {} : { newConnections: intervalMs });
  }
});

test.each([
  ['a concurrency beside levels of it', lanes, { concurrency: 5 }],
  ['clusters of their own', observing, { clusterReuse: 'fresh-per-scenario' }],
] as const)('%s would be passed over, so it is refused', (_, variation, asked) => {
  expect(() => {
    checkAskedBesides(variation, asked);
  }).toThrow(refusal);
  checkAskedBesides(observing, { concurrency: 5, clusterReuse: 'shared' });
});

test('the shared cluster is made for the level that asks the most of it', () => {
  expect(greatestDemand(observing)).toEqual({ evidence: true });
  expect(greatestDemand({ varied: 'observing', observing: [[], ['new-connections']] })).toEqual({});
  expect(greatestDemand({ varied: 'lanes', lanes: [1, 10, 5] })).toEqual({ concurrency: 10 });
});

test('levels of concurrency are observed as the matrix asks', () => {
  const levels = levelsOf({ varied: 'lanes', lanes: [1, 5] }, planned(20, true), kind);
  const asked = { evidence: true, newConnectionIntervalMs: 20 };
  expect(levels).toEqual([
    { id: 'level-01', name: '1 lane', lanes: 1, observing: asked },
    { id: 'level-05', name: '5 lanes', lanes: 5, observing: asked },
  ]);
});

test('a single level, one named twice, and evidence where none is collected are refused', () => {
  const bad: readonly (readonly [Variation, typeof kind | typeof local])[] = [
    [{ varied: 'lanes', lanes: [1] }, kind],
    [{ varied: 'lanes', lanes: [2, 2] }, kind],
    [{ varied: 'observing', observing: [['evidence']] }, kind],
    [{ varied: 'observing', observing: [[], []] }, kind],
    [observing, local],
  ];
  for (const [variation, provider] of bad) expect(() => levelsOf(variation, planned(0), provider)).toThrow(refusal);
});

test('two levels are allowed to differ in what they vary, and in nothing else', () => {
  const [off, evidence, , both] = levelsOf(observing, planned(0), kind);
  if (off === undefined || evidence === undefined || both === undefined) return expect.fail('a level is missing');
  expect(differencesBetween(off, evidence)).toEqual(['evidence']);
  expect(differencesBetween(off, both)).toEqual(['evidence', 'new-connection-interval-ms']);
  expect(differencesBetween(off, { ...off, lanes: 1 })).toEqual(['concurrency']);
});
