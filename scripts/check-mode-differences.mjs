// Holds the differences between levels that a run's aggregate.json tells of against its raw trials: flows and times are
// counted again, and the exact tests are done by dealing the values out in every way. None of the product's code is used.
//   node scripts/check-mode-differences.mjs FOLDER...
// Ends with 0 where all agree, 1 where something does not, 2 where there is nothing to check.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkDifferences } from './mode-differences/check.mjs';
import { readRawTrials } from './mode-differences/raw-trials.mjs';

const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error('name the folder of a run that was aggregated');
  process.exitCode = 2;
}
for (const folder of folders) {
  const path = join(folder, 'aggregate.json');
  const aggregate = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  if (aggregate === undefined || (aggregate.comparisons ?? []).length === 0) {
    const why = aggregate === undefined ? 'has no aggregate.json' : 'compares no levels';
    console.error(`${folder} ${why}: sum it up with \`node dist/cli.js aggregate ${folder}\``);
    process.exitCode = Math.max(2, process.exitCode ?? 0);
    continue;
  }
  const { checked, disagreements } = checkDifferences(aggregate, readRawTrials(folder));
  for (const line of disagreements) console.error(`✗ ${line}`);
  const { medians, shifts, outcomes, unchecked } = checked;
  const counts = `${medians} medians with ranges, ${shifts} shifts and ${outcomes} outcomes were counted again`;
  const rest = unchecked === 0 ? '' : `; ${unchecked} could not be`;
  console.log(
    `${folder}: ${counts}${rest}; ${disagreements.length === 0 ? 'all agree' : `${disagreements.length} disagree`}`,
  );
  if (disagreements.length > 0) process.exitCode = 1;
}
