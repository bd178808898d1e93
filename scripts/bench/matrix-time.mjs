import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

const results = 'docs/results';
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Where the wall time of stored runs went: of each run under docs/results whose reports tell of their phases. */
export const matrixTime = {
  name: 'matrix time',
  measure({ run }) {
    const folders = run === undefined ? readdirSync(results).map((name) => join(results, name)) : [run];
    const figures = {};
    for (const folder of folders.filter((path) => existsSync(join(path, 'aggregate.json')))) {
      const trials = trialsOf(folder);
      if (trials.length === 0) continue;
      const { wallSeconds } = readJson(join(folder, 'aggregate.json'));
      const wall = wallSeconds.status === 'measured' ? wallSeconds.value : undefined;
      for (const [figure, seconds] of Object.entries(splitOf(trials, wall))) {
        figures[`${basename(folder)}, ${figure}`] = { unit: 's', values: [seconds] };
      }
    }
    return figures;
  },
};

/** Trials on the wall clock, by their end; a report that is older than phases tells of none. */
function trialsOf(folder) {
  const trials = ['trials', 'warm-ups'].flatMap((kind) => {
    const arms = existsSync(join(folder, kind)) ? readdirSync(join(folder, kind)) : [];
    return arms.flatMap((arm) =>
      readdirSync(join(folder, kind, arm))
        .filter((name) => name.endsWith('.json'))
        .map((name) => readJson(join(folder, kind, arm, name)).trial),
    );
  });
  return trials
    .filter(({ phases = [] }) => phases.length > 0)
    .map(({ id, startedAt, phases }) => {
      const zeroMs = Date.parse(startedAt) - phases[0].fromMs;
      return { id, fromMs: Date.parse(startedAt), toMs: zeroMs + phases.at(-1).toMs, phases };
    })
    .toSorted((a, b) => a.toMs - b.toMs);
}

/**
 * Seconds: of the wall time, of the time that trials spent in each phase in all, and of each phase on the critical path.
 * The path is the trial that ended last, before it the one that ended last before that one began, and so on to the first:
 * nothing that ran beside it made the run longer. Exported for its test.
 */
export function splitOf(trials, wallSeconds) {
  const path = [];
  for (let next = trials.at(-1); next !== undefined;) {
    path.unshift(next);
    const { fromMs } = next;
    next = trials.findLast(({ toMs }) => toMs <= fromMs);
  }
  const spanMs = trials.at(-1).toMs - Math.min(...trials.map(({ fromMs }) => fromMs));
  const onPath = sumByPhase(path);
  const inPhasesMs = Object.values(onPath).reduce((sum, ms) => sum + ms, 0);
  return {
    ...(wallSeconds === undefined
      ? {}
      : { 'whole run': wallSeconds, 'clusters and summing up': wallSeconds - spanMs / 1e3 }),
    'first trial to last': spanMs / 1e3,
    ...named('all trials', sumByPhase(trials)),
    ...named('critical path', onPath),
    'critical path, waiting and removal between trials': (spanMs - inPhasesMs) / 1e3,
  };
}

function sumByPhase(trials) {
  const sums = {};
  for (const { phase, fromMs, toMs } of trials.flatMap(({ phases }) => phases)) {
    sums[phase] = (sums[phase] ?? 0) + toMs - fromMs;
  }
  return sums;
}

const named = (where, sums) =>
  Object.fromEntries(Object.entries(sums).map(([phase, ms]) => [`${where}, ${phase}`, ms / 1e3]));
