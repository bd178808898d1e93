import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fakeRunner } from '../action/fake-runner.ts';
import { tinyRun } from '../action/step.ts';

/** Node.js for arm64, in an emulator. */
const node = process.env.NODE_ARM64 ?? '';
const lack =
  process.arch === 'arm64'
    ? 'this machine is arm64, where every test of dist/ is of that'
    : existsSync(node)
      ? undefined
      : 'NODE_ARM64 names no Node.js for arm64; scripts/install-node-arm64.sh installs one';

describe.skipIf(lack !== undefined)(`dist/ on arm64${lack === undefined ? '' : ` (skipped: ${lack})`}`, () => {
  /** The committed bundle, alone. */
  let folder: string;
  const run = (runtime: string, args: readonly string[]) => {
    const temporary = { TMPDIR: join(folder, 'tmp'), RUNNER_TEMP: join(folder, 'tmp') };
    const options = { cwd: folder, reject: false, stdin: 'ignore', env: { NO_COLOR: '1', ...temporary } } as const;
    return execa(runtime, ['bundle/cli.js', ...args], options);
  };
  const pictures = (output: string) =>
    Object.fromEntries(
      readdirSync(join(folder, output)).map((name) => {
        const content = readFileSync(join(folder, output, name));
        return [name, createHash('sha256').update(content).digest('hex')];
      }),
    );

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'drainwatch-arm64-'));
    mkdirSync(join(folder, 'tmp'));
    cpSync('dist', join(folder, 'bundle'), { recursive: true });
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  test('the command line explains itself', async () => {
    const { exitCode, stdout } = await run(node, ['--help']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Exit status:\n {2}0 /);
  });

  test('it draws the same pictures, to the byte, with the native library of its own', async () => {
    const results = resolve('docs/results/demo-local');
    const emulated = await run(node, ['charts', results, '-o', 'arm64']);
    expect({ exitCode: emulated.exitCode, stderr: emulated.stderr }).toEqual({ exitCode: 0, stderr: '' });
    const library = readdirSync(join(folder, 'tmp'), { recursive: true, encoding: 'utf8' });
    expect(library.filter((path) => path.endsWith('.node'))).toHaveLength(1);
    expect((await run(process.execPath, ['charts', results, '-o', 'x64'])).exitCode).toBe(0);
    expect(Object.keys(pictures('arm64')).length).toBeGreaterThan(0);
    expect(pictures('arm64')).toEqual(pictures('x64'));
  }, 180_000);

  test('the Action measures, draws and reports; its post step ends well', async () => {
    const { github, results, job } = await fakeRunner();
    const running = job({ bundle: join(folder, 'bundle'), node });
    const step = await running.run('main', { ...tinyRun, charts: 'artifact' });
    expect(step.exitCode, step.log).toBe(0);
    expect(step.commands('warning')).toEqual([]);
    expect(step.outputs).toMatchObject({ passed: 'true', trials: '1' });
    const charts = z.array(z.string()).parse(JSON.parse(step.outputs['chart-paths'] ?? ''));
    expect(charts.length).toBeGreaterThan(0);
    expect(charts.filter((path) => !existsSync(path))).toEqual([]);
    expect(readFileSync(join(step.outputs['report-folder'] ?? '', 'aggregate.json'), 'utf8')).toContain('"arm64"');
    expect(github.comments.stored[0]?.body).toContain('1 of 1 arm as expected');
    expect(results.finished).toHaveLength(1);
    const post = await running.run('post', tinyRun, step.state);
    expect(post.exitCode, post.log).toBe(0);
  }, 180_000);

  test('a bad input is named, with what is allowed', async () => {
    const { job } = await fakeRunner();
    const step = await job({ bundle: join(folder, 'bundle'), node }).run('main', { ...tinyRun, repeats: 'many' });
    expect(step.exitCode).toBe(1);
    expect(step.commands('error')[0]?.data).toMatch(/input `repeats` is "many".*whole number from 1 to 1000/);
  });
});
