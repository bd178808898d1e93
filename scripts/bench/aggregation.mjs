import { join } from 'node:path';
import { figuresOf, prefixed } from './node-process.mjs';
import { writeManyReports } from './many-reports.mjs';

/** Reports, and how often their aggregation is timed. */
const sizes = [
  [25, 5],
  [1_000, 3],
  [10_000, 2],
];

/** `aggregate` of stored runs: reading every report, summing up, writing aggregate.json, the CSV files and the table. */
export const aggregation = {
  name: 'aggregation',
  async measure({ bundle, scratch }) {
    const figures = {};
    for (const [count, rounds] of sizes) {
      const folder = join(scratch, `reports-${count}`);
      writeManyReports(folder, count);
      const args = [join(bundle, 'cli.js'), 'aggregate', folder];
      const name = `${count.toLocaleString('en')} reports`;
      Object.assign(figures, prefixed(name, await figuresOf(args, rounds, { warmUp: count < 10_000 })));
    }
    return figures;
  },
};
