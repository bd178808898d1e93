import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { fakeRunner } from '../action/fake-runner.ts';
import { tinyRun } from '../action/step.ts';

const runsForm = z.object({ runs: z.object({ using: z.literal('node24'), main: z.string(), post: z.string().optional() }) });

test.each(['action.yml', 'report/action.yml'])('%s names programs that are in dist/', (file) => {
  const { main, post = main } = runsForm.parse(parse(readFileSync(file, 'utf8'))).runs;
  for (const program of [main, post]) expect(existsSync(resolve(file, '..', program)), program).toBe(true);
});

test('what a workflow downloads stays small: dist/ is below 30 MB', () => {
  const sizes = readdirSync('dist', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(30_000_000);
});

test('dist/ copied to an empty folder is a whole Action: it measures, draws and reports, and its post step cleans up', async () => {
  const bundle = mkdtempSync(join(tmpdir(), 'drainwatch-dist-'));
  onTestFinished(() => {
    rmSync(bundle, { recursive: true });
  });
  cpSync('dist', bundle, { recursive: true });
  const { github, job } = await fakeRunner();
  const running = job({ bundle });
  const step = await running.run('main', { ...tinyRun, charts: 'artifact' });
  expect(step.exitCode, step.log).toBe(0);
  expect(step.commands('warning')).toEqual([]);
  expect(z.array(z.string()).parse(JSON.parse(step.outputs['chart-paths'] ?? '')).length).toBeGreaterThan(0);
  expect(github.comments.stored).toHaveLength(1);
  const post = await running.run('post', tinyRun, step.state);
  expect(post.exitCode, post.log).toBe(0);
});
