import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ActionableError } from '../../../src/domain/errors.ts';
import { identify, isAlive, type ProcessIdentity } from '../../../src/process/process-identity.ts';
import { type CommandEntry, createRunner } from '../../../src/process/runner.ts';

const logged: CommandEntry[] = [];
const runner = createRunner({ log: (entry) => void logged.push(entry) });
const sh = (script: string) => ['-c', script] as const;
const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('resolved'),
    (error: unknown) => error,
  );

/** Resolves with the identity of the process whose pid is the first line that arrives. */
function firstPid() {
  let take: (line: string) => void = () => undefined;
  const line = new Promise<string>((resolve) => (take = resolve));
  const identity = line.then((text) => {
    const found = identify(Number(text));
    if (found === undefined) expect.fail(`${text} does not run`);
    return found;
  });
  return { take, identity };
}
async function ended(identity: ProcessIdentity): Promise<boolean> {
  for (let polls = 0; polls < 300 && isAlive(identity); polls++) await delay(10);
  return !isAlive(identity);
}

test('a command that succeeds gives its output and is logged with argv and exit code', async () => {
  const result = await runner.run('sh', sh('cat; echo err >&2'), { input: 'in\n' });
  expect(result).toMatchObject({ stdout: 'in', stderr: 'err', exitCode: 0 });
  expect(logged.at(-1)).toMatchObject({ argv: ['sh', '-c', 'cat; echo err >&2'], exitCode: 0, signal: null });
  expect(result.durationMs).toBeGreaterThan(0);
});

test('the log holds no environment', async () => {
  const { stdout } = await runner.run('sh', sh('echo $TOKEN'), { env: { TOKEN: 's3cret' } });
  expect(stdout).toBe('s3cret');
  expect(JSON.stringify(logged.at(-1))).not.toContain('s3cret');
});

test('a failing command is a harness error with the last line of its complaint and the cause', async () => {
  const error = await rejection(runner.run('sh', sh('echo first >&2; echo second >&2; exit 3')));
  expect(error).toMatchObject({ kind: 'harness', cause: { exitCode: 3 } });
  expect((error as Error).message).toMatch(/exited with 3: second;/);
});

test('an exit code that was declared an answer is one', async () => {
  await expect(runner.run('sh', sh('exit 1'), { okExitCodes: [0, 1] })).resolves.toMatchObject({ exitCode: 1 });
});

test('a missing program is an unmet requirement, run or started, and never an unhandled rejection', async () => {
  expect(await rejection(runner.run('no-such-program', []))).toMatchObject({ kind: 'requirement' });
  expect(() => runner.start('no-such-program', [])).toThrow(ActionableError);
});

test('a command that takes too long is ended, and the error says so', async () => {
  const error = await rejection(runner.run('sleep', ['60'], { timeoutMs: 100 }));
  expect(error).toMatchObject({ kind: 'harness' });
  expect((error as Error).message).toContain('had not ended after 100 ms');
});

test('an aborted command rejects with the reason of the signal, and leaves no child behind', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const { take, identity } = firstPid();
  const running = runner.start('sh', sh('sleep 60 & echo $!; wait'), { signal: controller.signal, onStdoutLine: take });
  const child = await identity;
  controller.abort(reason);
  await running.exited;
  expect(await ended(child)).toBe(true);
  expect(await rejection(runner.run('sleep', ['60'], { signal: controller.signal }))).toBe(reason);
  const late = new AbortController();
  const run = runner.run('sleep', ['60'], {
    signal: late.signal,
    onSpawn: () =>
      void setTimeout(() => {
        late.abort(reason);
      }, 50),
  });
  expect(await rejection(run)).toBe(reason);
});

test('a command whose spawn could not be noted does not run on', async () => {
  const defect = new Error('disk full');
  let spawned: ProcessIdentity | undefined;
  const run = runner.run('sleep', ['60'], {
    onSpawn: (pid) => {
      spawned = identify(pid);
      throw defect;
    },
  });
  expect(await rejection(run)).toBe(defect);
  expect(spawned !== undefined && !isAlive(spawned)).toBe(true);
});

test('disposing ends a process that ignores SIGTERM', async () => {
  const { take, identity } = firstPid();
  const stubborn = runner.start('sh', sh("trap '' TERM; echo $$; while :; do sleep 1; done"), { onStdoutLine: take });
  const process = await identity;
  await stubborn[Symbol.asyncDispose]();
  expect(isAlive(process)).toBe(false);
  expect(await stubborn.exited).toEqual({ exitCode: null, signal: 'SIGKILL' });
});

test('kill sends exactly one signal: a process that handles SIGTERM is not killed after it', async () => {
  const lines: string[] = [];
  const ready = firstPid();
  await using handling = runner.start('sh', sh("trap 'echo got' TERM; echo $$; while :; do sleep 0.1; done"), {
    onStdoutLine: (line) => {
      lines.push(line);
      ready.take(line);
    },
  });
  await ready.identity;
  expect(handling.kill('SIGTERM')).toBe(true);
  await delay(500);
  expect(lines.slice(1)).toEqual(['got']);
  handling.kill('SIGKILL');
  expect(await handling.exited).toEqual({ exitCode: null, signal: 'SIGKILL' });
  expect(handling.kill('SIGTERM')).toBe(false);
});

test('standard input that is a pipe stays open, an ignored one is empty', async () => {
  await using piped = runner.start('cat', [], { stdin: 'pipe' });
  await using ignored = runner.start('cat', []);
  expect(await ignored.exited).toEqual({ exitCode: 0, signal: null });
  expect(await Promise.race([piped.exited, delay(200, 'open')])).toBe('open');
});
