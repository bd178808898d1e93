#!/usr/bin/env node
import { bundledFilesBeside } from '../assembly/bundled-files.ts';
import { runProgram } from './program.ts';

const { stdout, stderr } = process;
// a reader that left, as `head` does, must not end a run in the midst of what it made: results are in its folder
for (const stream of [stdout, stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
process.exitCode = await runProgram(process.argv, { files: bundledFilesBeside(import.meta.url), stdout, stderr });
