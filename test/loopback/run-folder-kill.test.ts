import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRunFolder } from '../../src/report/store.ts';

let scratch: string;
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'drainwatch-kill-'));
});
afterEach(async () => {
  await rm(scratch, { recursive: true, force: true });
});

/** Stores one trial of 2,000 flows after the other, telling of each once it is stored. */
const writer = `
  import { exampleReport, manifest } from './test/unit/report/example-reports.ts';
  import { createRunFolder } from './src/report/store.ts';
  const folder = await createRunFolder(process.argv[2], manifest);
  for (let repeat = 1; ; repeat += 1) {
    const report = exampleReport(repeat);
    const flows = Array.from({ length: 2000 }, (_, index) => ({ ...report.trial.flows[0], id: 'tcp-' + index }));
    await folder.writeTrial({ ...report, trial: { ...report.trial, flows } });
    process.stdout.write('.');
  }`;

test('a run that is killed while it stores a trial keeps every stored trial whole, and no half of another', async () => {
  const script = join(scratch, 'writer.mjs');
  const path = join(scratch, 'run');
  await build({
    stdin: { contents: writer, resolveDir: resolve('.'), loader: 'ts' },
    outfile: script,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    // as in scripts/build.mjs: CommonJS parts ask for these
    define: { __filename: 'import.meta.url' },
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  });
  const child = spawn(process.execPath, [script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  let stored = 0;
  child.stdout.on('data', (told: Buffer) => {
    stored += told.length;
    if (stored >= 5) child.kill('SIGKILL');
  });
  const signal = await new Promise((ended) => {
    child.once('close', (_, by) => {
      ended(by);
    });
  });
  expect(signal).toBe('SIGKILL');

  const folder = await openRunFolder(path);
  expect(folder.completed.size).toBeGreaterThanOrEqual(stored);
  for await (const { trial } of folder.readTrials()) expect(trial.flows).toHaveLength(2000);
});
