import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { identify, isAlive } from '../../../src/process/process-identity.ts';

let folder: string;
let script: string;

/** A process of its own that starts a command with a child, prints the child's pid, and then does as `ending` says. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'end-with-us-'));
  script = join(folder, 'parent.mjs');
  const contents = `
    import { createRunner } from './src/process/runner.ts';
    const endings = {
      exit: () => process.exit(0),
      throw: () => { throw new Error('a defect'); },
      wait: () => undefined,
      handle: () => process.on('SIGTERM', () => console.log('handled')),
    };
    createRunner({ log: () => undefined }).start('sh', ['-c', 'sleep 60 & echo $!; wait'], {
      onStdoutLine: (line) => { console.log(line); setTimeout(endings[process.argv[2]], 50); },
    });`;
  await build({
    stdin: { contents, resolveDir: process.cwd(), loader: 'ts' },
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  });
});
afterAll(() => rm(folder, { recursive: true }));

async function startParent(ending: string) {
  const parent = spawn(process.execPath, [script, ending], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const child = identify(Number(String(line)));
  if (child === undefined) expect.fail('the command has no child');
  return { parent, child };
}

test.each([
  ['process.exit', 'exit', undefined, { code: 0, signal: null }],
  ['an exception', 'throw', undefined, { code: 1, signal: null }],
  ['an unhandled SIGTERM', 'wait', 'SIGTERM', { code: null, signal: 'SIGTERM' }],
  ['an unhandled SIGINT', 'wait', 'SIGINT', { code: null, signal: 'SIGINT' }],
] as const)(
  'a command and its children end with a process that ends by %s, which ends as it would have',
  async (...row) => {
    const [, ending, signal, expected] = row;
    const { parent, child } = await startParent(ending);
    const ended = once(parent, 'exit');
    if (signal !== undefined) parent.kill(signal);
    const [code, by] = (await ended) as [number | null, string | null];
    expect({ code, signal: by }).toEqual(expected);
    for (let polls = 0; polls < 300 && isAlive(child); polls++) await delay(10);
    expect(isAlive(child)).toBe(false);
  },
);

test('a signal that the process handles itself leaves its commands alone', async () => {
  const { parent, child } = await startParent('handle');
  await delay(200);
  const handled = once(parent.stdout, 'data');
  parent.kill('SIGTERM');
  expect(String(await handled)).toContain('handled');
  expect(isAlive(child)).toBe(true);
  process.kill(child.pid, 'SIGKILL');
  await once(parent, 'exit');
});
