// Benchmarks: `node scripts/bench/main.mjs [BENCHMARK]... [--save] [--run FOLDER]`. Prints each figure's median and range, and its
// ratio to the last committed results of the same machine; --save writes docs/results/bench/<machine>.json.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { aggregation } from './aggregation.mjs';
import { chartRendering } from './chart-rendering.mjs';
import { coldStart } from './cold-start.mjs';
import { generator } from './generator.mjs';
import { load, machineFacts, machineKey, revision } from './machine.mjs';
import { matrixTime } from './matrix-time.mjs';
import { reportSize } from './report-size.mjs';
import { committedResults, figureLine, saveResults, summarized } from './results.mjs';

const benchmarks = [matrixTime, generator, aggregation, reportSize, coldStart, chartRendering];

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { save: { type: 'boolean' }, run: { type: 'string' } },
});
const unknown = positionals.filter((name) => !benchmarks.some((benchmark) => benchmark.name === name));
if (unknown.length > 0) {
  console.error(
    `expected: names among ${benchmarks.map(({ name }) => `'${name}'`).join(', ')}; found: ${unknown.join(', ')}`,
  );
  process.exit(2);
}

const machine = machineFacts();
const key = machineKey(machine);
const before = committedResults(key);
console.log(
  `${key}\n${before === undefined ? 'no committed results of this machine: no ratios' : '×: ratio to the committed results'}`,
);

const scratch = mkdtempSync(join(tmpdir(), 'drainwatch-bench-'));
const bundle = join('build', 'bench', 'bundle');
const measured = {};
try {
  // the sources as they are, never a dist/ that may be older
  execFileSync(process.execPath, ['scripts/build.mjs', bundle], { stdio: 'inherit' });
  for (const { name, measure } of benchmarks.filter(
    (each) => positionals.length === 0 || positionals.includes(each.name),
  )) {
    const loadBefore = load();
    const figures = Object.entries(await measure({ bundle, scratch, run: options.run }));
    const results = Object.fromEntries(figures.map(([figure, values]) => [figure, summarized(values)]));
    measured[name] = {
      ...revision(),
      at: new Date().toISOString(),
      loadAverage: { before: loadBefore, after: load() },
      figures: results,
    };
    console.log(`${name}${figures.length === 0 ? ': nothing to measure it by' : ''}`);
    for (const [figure, result] of Object.entries(results)) {
      console.log(figureLine(figure, result, before?.benchmarks[name]?.figures[figure]));
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
if (options.save) console.log(`written: ${saveResults(key, machine, measured)}`);
