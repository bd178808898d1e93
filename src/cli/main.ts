#!/usr/bin/env node
import { bundledFilesBeside } from '../assembly/bundled-files.ts';
import { runProgram } from './program.ts';

const { stdout, stderr } = process;
process.exitCode = await runProgram(process.argv, { files: bundledFilesBeside(import.meta.url), stdout, stderr });
