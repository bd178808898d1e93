import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processId } from './bash.ts';
import { machine } from './stub-programs.ts';

const absent = { STUB_DOCKER_ABSENT: 'yes' };
const note = (cache: string) => join(cache, 'docker/started');
const startedPid = (cache: string) => processId(readFileSync(note(cache), 'utf8').split(' ')[0] ?? '');

test('Docker that up.sh started outlives it, and down.sh stops it and says so', async () => {
  const { run, cache } = machine();
  expect((await run('up.sh', absent)).exitCode).toBe(0);
  const pid = startedPid(cache);
  expect(readFileSync(`/proc/${pid}/comm`, 'utf8')).toBe('dockerd\n');
  const { exitCode, stdout, stderr } = await run('down.sh', absent);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  expect(stderr).toMatch(new RegExp(`stopping Docker \\(process ${pid}\\)\n.*Docker has stopped`));
  expect(existsSync(`/proc/${pid}/exe`)).toBe(false);
  expect((await run('down.sh', absent)).stderr).toContain('nothing to stop');
});

test('Docker that was running already is not stopped', async () => {
  const { run, calls } = machine();
  await run('up.sh');
  const { exitCode, stderr } = await run('down.sh');
  expect(exitCode).toBe(0);
  expect(stderr).toContain('up.sh started no Docker here');
  expect(calls().filter((call) => call.startsWith('dockerd'))).toEqual([]);
});

test('a process that has got the id of a former Docker is not stopped', async () => {
  const { run, cache } = machine();
  await run('up.sh', absent);
  const pid = startedPid(cache);
  const noted = readFileSync(note(cache), 'utf8');
  try {
    writeFileSync(note(cache), noted.replace(/ \d+ /, ' 1 '));
    const { exitCode, stderr } = await run('down.sh', absent);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('has already ended');
    expect(readFileSync(`/proc/${pid}/comm`, 'utf8')).toBe('dockerd\n');
  } finally {
    process.kill(pid);
  }
});

test('Docker is not stopped under running containers, unless forced', async () => {
  const { run, cache } = machine();
  await run('up.sh', absent);
  const pid = startedPid(cache);
  const busy = { ...absent, STUB_CONTAINERS: 'yes' };
  const { exitCode, stderr } = await run('down.sh', busy);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/no container should run.*found 1\n.*--force/);
  expect(existsSync(`/proc/${pid}/exe`)).toBe(true);
  expect((await run('down.sh', busy, ['--force'])).exitCode).toBe(0);
});

test('a stale pid file is removed with a message before Docker starts', async () => {
  const { run, runFolder } = machine();
  writeFileSync(join(runFolder, 'docker.pid'), `${process.pid}`);
  const { exitCode, stderr } = await run('up.sh', absent);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(new RegExp(`removing .*docker\\.pid, left behind by dockerd: process ${process.pid} is now `));
  await run('down.sh', absent);
});

test.each([
  ['failed to start daemon: Error initializing network controller: iptables failed: Permission denied', 'NET_ADMIN'],
  ['failed to mount overlay: operation not permitted', '--privileged'],
  ['write /var/lib/docker/x: no space left on device', 'df -h'],
  ['something new', 'dockerd.log'],
])('Docker that dies with %j is reported with its last words and a remedy', async (words, remedy) => {
  const { run } = machine();
  const { exitCode, stdout, stderr } = await run('up.sh', { ...absent, STUB_DOCKERD_DIES: words });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toContain(`| ${words}`);
  expect(stderr.slice(stderr.indexOf('found that dockerd ended'))).toContain(remedy);
});
