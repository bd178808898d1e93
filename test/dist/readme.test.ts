import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Commands of the README that something else runs as printed: who does. */
const elsewhere: Readonly<Record<string, string>> = {
  'npm cit': '.ci/run.mjs',
  'node dist/cli.js run --matrix quick --provider kind --node-image testbed.local/node:v1.34.0': 'test/cluster/quick-matrix.test.ts',
  // 25 trials take longer than a test may; the committed result is of this command
  'node dist/cli.js run --matrix standard --provider kind --node-image testbed.local/node:v1.34.0': 'docs/results/README.md',
};

const commands = [...readFileSync('README.md', 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, text = '']) =>
  text.split('\n').filter((line) => line !== ''),
);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'drainwatch-readme-'));
  for (const part of ['dist', 'matrix', 'docs']) cpSync(part, join(folder, part), { recursive: true });
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test.each(commands.map((command) => [command]))('%s runs as printed', async (command) => {
  const who = elsewhere[command];
  if (who !== undefined) {
    const parts = command === 'npm cit' ? "['cit']" : command;
    expect(readFileSync(who, 'utf8')).toContain(parts);
    return;
  }
  const { exitCode, stdout, stderr } = await execa(command, { cwd: folder, shell: true, reject: false, stdin: 'ignore' });
  expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).not.toBe('');
});
