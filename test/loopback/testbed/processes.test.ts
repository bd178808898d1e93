import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder, withLibraries } from './bash.ts';

/** A running process whose name is the given one, as the kernel tells it. */
async function processCalled(name: string): Promise<number> {
  const program = join(temporaryFolder(), name);
  copyFileSync('/bin/sleep', program);
  const child = spawn(program, ['600'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  return child.pid ?? expect.unreachable('a spawned process has an id');
}

async function endedProcess(): Promise<number> {
  const child = spawn('/bin/true');
  await once(child, 'exit');
  return child.pid ?? expect.unreachable('a spawned process has an id');
}

async function afterRemovingStalePidFile(content: string) {
  const file = join(temporaryFolder(), 'docker.pid');
  writeFileSync(file, content);
  const { stderr, exitCode } = await withLibraries(['processes'], 'remove_stale_pid_file "$1" dockerd', [file]);
  expect(exitCode).toBe(0);
  return { kept: existsSync(file), stderr };
}

test('the pid file of a running dockerd is kept, without a word', async () => {
  expect(await afterRemovingStalePidFile(`${await processCalled('dockerd')}\n`)).toEqual({ kept: true, stderr: '' });
});

test('a pid file that names an ended process is removed, with a message that says so', async () => {
  const pid = await endedProcess();
  const { kept, stderr } = await afterRemovingStalePidFile(`${pid}`);
  expect(kept).toBe(false);
  expect(stderr).toMatch(new RegExp(`removing .*docker\\.pid.*process ${pid} has ended`));
});

test('a pid file whose id another program has got is removed, with that name in the message', async () => {
  const pid = await processCalled('nginx (x) y');
  const { kept, stderr } = await afterRemovingStalePidFile(`${pid}`);
  expect(kept).toBe(false);
  expect(stderr).toContain(`process ${pid} is now nginx (x) y`);
});

test('a dockerd that ended and that its parent has not asked for yet counts as ended', async () => {
  const folder = temporaryFolder();
  const program = join(folder, 'dockerd');
  copyFileSync('/bin/sleep', program);
  // the shell becomes a sleep that never waits for its child, which so stays a zombie
  const parent = spawn('bash', ['-c', '"$1" 0 & echo $!; exec sleep 600', '-', program]);
  onTestFinished(() => void parent.kill('SIGKILL'));
  const pid = String(await once(parent.stdout, 'data')).trim();
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ');
  const { kept, stderr } = await afterRemovingStalePidFile(pid);
  expect(kept).toBe(false);
  expect(stderr).toContain(`process ${pid} has ended`);
});

test.each(['', '\n', 'dockerd', '0', '-1', '12 34x'])(
  'a pid file that holds %j names no process and is removed',
  async (content) => {
    const { kept, stderr } = await afterRemovingStalePidFile(content);
    expect(kept).toBe(false);
    expect(stderr).toContain('it holds no process id');
  },
);

test('an absent pid file is no fault', async () => {
  const { stderr, exitCode } = await withLibraries(['processes'], 'remove_stale_pid_file "$1" dockerd', [
    '/nonexistent/docker.pid',
  ]);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
});

test('a process is told from an earlier one that had its id', async () => {
  const pid = await processCalled('dockerd');
  const { stdout } = await withLibraries(['processes'], 'identity "$1"; identity "$2"', [`${pid}`, `${process.pid}`]);
  const [one, other] = stdout.split('\n').map((line) => line.split(' '));
  expect(one).toHaveLength(3);
  expect(one?.[1]).not.toBe(other?.[1]);
  expect(one?.[2]).toBe(other?.[2]);
});

async function afterRemovingStaleSocket(path: string) {
  const { stderr, exitCode } = await withLibraries(['processes'], 'remove_stale_socket "$1"', [path]);
  expect(exitCode).toBe(0);
  return { kept: existsSync(path), stderr };
}

test('a socket on which a process listens is kept', async () => {
  const path = join(temporaryFolder(), 'docker.sock');
  const server = createServer().listen(path);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  expect(await afterRemovingStaleSocket(path)).toEqual({ kept: true, stderr: '' });
});

test('a socket whose process was killed is removed, with a message', async () => {
  const path = join(temporaryFolder(), 'docker.sock');
  const listen = "require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))";
  await execa(process.execPath, ['-e', listen, path], { reject: false });
  expect(existsSync(path)).toBe(true);
  const { kept, stderr } = await afterRemovingStaleSocket(path);
  expect(kept).toBe(false);
  expect(stderr).toContain('no process listens on it');
});
