import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sourceRun } from './many-reports.mjs';
import { figuresOf } from './node-process.mjs';

const rounds = 5;

/** All charts of the committed run as PNG files, both themes; the native library is unpacked before. */
export const chartRendering = {
  name: 'chart rendering',
  async measure({ bundle, scratch }) {
    const output = join(scratch, 'charts');
    const figures = await figuresOf([join(bundle, 'cli.js'), 'charts', sourceRun, '-o', output], rounds);
    const pictures = readdirSync(output).filter((name) => name.endsWith('.png')).length;
    const perPicture = figures.cpu.values.map((cpuMs) => cpuMs / pictures);
    return {
      ...figures,
      pictures: { unit: '', values: [pictures] },
      'cpu a picture': { unit: 'ms', values: perPicture },
    };
  },
};
