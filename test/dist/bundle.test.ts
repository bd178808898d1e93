import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';

/** The committed bundle, alone: no node_modules, no repository around it. */
let folder: string;
const run = (...args: readonly string[]) =>
  execa(process.execPath, ['bundle/cli.js', ...args], { cwd: folder, reject: false, stdin: 'ignore', env: { NO_COLOR: '1' } });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'drainwatch-dist-'));
  cpSync('dist', join(folder, 'bundle'), { recursive: true });
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('the bundle copied to an empty folder', () => {
  test('says its version, which is the package’s', async () => {
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync('package.json', 'utf8')));
    expect((await run('--version')).stdout).toBe(version);
  });

  test.each([[], ['demo'], ['run'], ['plan'], ['aggregate'], ['report'], ['explain'], ['doctor'], ['clean'], ['schema']])(
    'explains itself, with examples: %s --help',
    async (...command) => {
      const { exitCode, stdout } = await run(...command, '--help');
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(command.length === 0 ? /Exit status:\n {2}0 / : /Examples:\n {2}\$ drainwatch /);
    },
  );

  test('finds its matrices: the plan of the published experiment has 25 trials', async () => {
    const { stdout } = await run('plan', '--matrix', 'standard', '--json');
    const plan = z.object({ trials: z.number(), arms: z.array(z.object({ id: z.string() })) }).parse(JSON.parse(stdout));
    expect(plan.trials).toBe(25);
    expect(plan.arms.map(({ id }) => id.split('.')[0])).toEqual(['exit-now', 'drain', 'ignore', 'drain-evict', 'drain-scale']);
  });

  test('prints the schema that is committed', async () => {
    expect(JSON.parse((await run('schema')).stdout)).toEqual(JSON.parse(readFileSync('matrix/schema.json', 'utf8')));
  });

  test('runs the demo within a minute, true to its scenarios, with a results folder', async () => {
    const began = performance.now();
    const { exitCode, stdout } = await run('demo', '-o', 'results');
    expect({ exitCode, inTime: performance.now() - began < 60_000 }).toEqual({ exitCode: 0, inTime: true });
    expect(stdout).toContain('3 of 3 arms as expected');
    expect(stdout).toContain('grace 8 s (published: 30 s)');
    expect(stdout).toMatch(/exits at once · delete +all reset at \d+ ms/);
    expect(readdirSync(join(folder, 'results')).toSorted()).toEqual(
      ['aggregate.json', 'commands.ndjson', 'flows.csv', 'run.json', 'table.txt', 'trials', 'trials.csv'],
    );
    expect((await run('report', 'results')).stdout).toContain('3 of 3 arms as expected');
  });
});
