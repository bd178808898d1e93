#!/usr/bin/env node
import { bundledFilesBeside } from './bundled-files.ts';
import { runProgram } from './program.ts';

const { stdout, stderr } = process;
process.exitCode = await runProgram(process.argv, { files: bundledFilesBeside(import.meta.url), stdout, stderr });
