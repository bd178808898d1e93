import { join } from 'node:path';
import { figuresOf, prefixed } from './node-process.mjs';

const rounds = 15;

/** The command line up to its help, beside an empty program: what Node.js itself takes. */
export const coldStart = {
  name: 'cold start',
  async measure({ bundle }) {
    return {
      ...prefixed('--help', await figuresOf([join(bundle, 'cli.js'), '--help'], rounds)),
      ...prefixed('an empty program', await figuresOf(['--eval', ''], rounds)),
    };
  },
};
