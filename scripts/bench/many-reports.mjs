// Run folders of any size, of copies of a committed run's reports: `node scripts/bench/many-reports.mjs FOLDER COUNT`.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Its 25 reports are what every generated one is a copy of. */
export const sourceRun = 'docs/results/standard-kind-v1.34.0';

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const two = (number) => String(number).padStart(2, '0');

/** Measured reports of the committed run, by scenario, in the order of repeats. */
export function committedReports() {
  const trials = join(sourceRun, 'trials');
  const reports = readdirSync(trials)
    .toSorted()
    .flatMap((arm) =>
      readdirSync(join(trials, arm))
        .toSorted()
        .map((name) => readJson(join(trials, arm, name))),
    );
  const scenarios = new Set(reports.map(({ trial }) => trial.arm.scenario));
  return new Map([...scenarios].map((name) => [name, reports.filter(({ trial }) => trial.arm.scenario === name)]));
}

/** Most repeats that a matrix may have. */
const mostRepeats = 1_000;

/**
 * Writes a run folder of `count` trials into the new folder `path`: the committed ones, repeat after repeat, under further
 * ids, and under a second proxy mode where one arm can't hold as many. Nothing is summed up yet.
 *
 * `count` is a multiple of the scenarios, 5, and 10,000 at most.
 */
export function writeManyReports(path, count) {
  const byScenario = committedReports();
  const manifest = readJson(join(sourceRun, 'run.json'));
  const modes = count / byScenario.size > mostRepeats ? ['iptables', 'nftables'] : ['iptables'];
  const repeats = count / byScenario.size / modes.length;
  if (!Number.isInteger(repeats) || repeats > mostRepeats) throw new Error(`${count} trials don't fill whole arms`);
  mkdirSync(path, { recursive: true });
  const matrix = { ...manifest.matrix, proxyModes: modes, repeats };
  writeFileSync(join(path, 'run.json'), `${JSON.stringify({ ...manifest, matrix }, null, 2)}\n`);
  for (const [scenario, reports] of byScenario) {
    for (const proxyMode of modes) {
      const id = `${scenario}.${proxyMode}`;
      mkdirSync(join(path, 'trials', id), { recursive: true });
      for (let repeat = 1; repeat <= repeats; repeat += 1) {
        const report = reports[(repeat - 1) % reports.length];
        const arm = { ...report.trial.arm, id, proxyMode };
        const trial = { ...report.trial, id: `${id}-${two(repeat)}`, arm, repeat, firstOnCluster: repeat === 1 };
        const text = `${JSON.stringify({ ...report, trial }, null, 2)}\n`;
        writeFileSync(join(path, 'trials', id, `${two(repeat)}.json`), text);
      }
    }
  }
}

const [, script, folder, count] = process.argv;
if (script === fileURLToPath(import.meta.url)) writeManyReports(folder, Number(count));
