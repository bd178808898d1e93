import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { max, median, min } from 'simple-statistics';

export const resultsPath = (key) => `docs/results/bench/${key}.json`;

/** As stored: order statistics of a figure's values, with as many digits as a reader can use. */
export const summarized = ({ unit, values }) => ({
  unit,
  n: values.length,
  min: rounded(min(values)),
  median: rounded(median(values)),
  max: rounded(max(values)),
});

const rounded = (value) => Number(value.toPrecision(4));

/** The last committed results of this machine; undefined where there are none. */
export function committedResults(key) {
  try {
    return JSON.parse(
      execFileSync('git', ['show', `HEAD:${resultsPath(key)}`], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    );
  } catch {
    return undefined;
  }
}

/** Results of benchmarks that were run; those of others stay as they are, each with the commit that it was measured at. */
export function saveResults(key, machine, benchmarks) {
  const path = resultsPath(key);
  let earlier;
  try {
    earlier = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    earlier = { benchmarks: {} };
  }
  mkdirSync(dirname(path), { recursive: true });
  const all = { schemaVersion: 1, machine, benchmarks: { ...earlier.benchmarks, ...benchmarks } };
  writeFileSync(path, `${JSON.stringify(all, null, 2)}\n`);
  return path;
}

/** A figure's line: its median and range, and the ratio of its median to the committed one. */
export function figureLine(name, { unit, n, min: least, median: middle, max: most }, before) {
  const range = n === 1 ? '' : ` (${least}–${most}, n = ${n})`;
  const ratio = before === undefined || before.median === 0 ? '' : `   × ${(middle / before.median).toFixed(2)}`;
  return `  ${name}: ${middle}${unit === '' ? '' : ` ${unit}`}${range}${ratio}`;
}
