import { existsSync, readlinkSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { machine } from './stub-programs.ts';

const image = 'testbed.local/node:v1.34.0';
const exists = (pid: number) => existsSync(`/proc/${pid}`);
const builds = (calls: readonly string[]) => calls.filter((call) => call.startsWith('go build')).length;

test('standard output is exactly two lines, however much the programs say', async () => {
  const { run, cache } = machine();
  const { stdout, stderr, exitCode } = await run('up.sh');
  expect({ stderr, exitCode }).toMatchObject({ exitCode: 0 });
  expect(stdout).toBe(`TESTBED_BIN=${cache}/bin\nTESTBED_NODE_IMAGE=${image}`);
  expect(stderr.split('\n').filter((line) => !/^testbed: \d+ s: |says a thing/.test(line))).toEqual([]);
});

test('a second run builds nothing and says the same', async () => {
  const { run, calls } = machine();
  const first = await run('up.sh');
  const before = calls().length;
  const second = await run('up.sh');
  expect(second.stdout).toBe(first.stdout);
  expect(calls().slice(before)).toEqual(['iptables -w 30 -C DOCKER-USER -i br-+ ! -o br-+ -j REJECT']);
});

test('two runs at once build once', async () => {
  const { run, calls } = machine();
  const runs = await Promise.all([run('up.sh'), run('up.sh')]);
  expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  expect(builds(calls())).toBe(18);
  expect(calls().filter((call) => call.startsWith('docker commit'))).toHaveLength(1);
  expect(runs.filter(({ stderr }) => stderr.includes('waiting for another run'))).toHaveLength(1);
});

test('build.sh prints the name of the image that up.sh would give, and starts no Docker', async () => {
  const { run } = machine();
  expect((await run('build.sh')).stdout).toBe(image);
  const { exitCode, stderr } = await run('build.sh', { STUB_DOCKER_ABSENT: 'yes' });
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/Docker should answer.*\n.*up\.sh starts it/);
});

test.each(['1.34.0', 'v1.34', 'v1.34.0-rc.1', 'latest', 'v2.0.0', 'v1.034.0', 'v1.34.0 '])(
  'the version %j is refused at once',
  async (version) => {
    const { run, calls, cache } = machine();
    const { exitCode, stdout, stderr } = await run('up.sh', { TESTBED_KUBERNETES: version });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(`found '${version}'`);
    expect(calls()).toEqual([]);
    expect(existsSync(cache)).toBe(false);
  },
);

test('another version is built beside the first, which keeps its parts', async () => {
  const { run, calls, cache } = machine();
  await run('up.sh');
  const before = builds(calls());
  const { stdout } = await run('up.sh', { TESTBED_KUBERNETES: 'v1.37.2' });
  expect(stdout).toContain('TESTBED_NODE_IMAGE=testbed.local/node:v1.37.2');
  expect(builds(calls()) - before).toBe(7);
  expect(existsSync(join(cache, 'bin-v1.37.2/kubelet'))).toBe(true);
});

test.each([
  ['a user who is not root', { STUB_UID: '1000' }, /must run as root.*found user nobody\n.*sudo/],
  ['an old Go', { STUB_GO: 'go1.21.3' }, /needs Go 1\.24 or newer, found go1\.21\.3.*\n.*install Go/],
  ['a small disk', { STUB_FREE: '9' }, /needs 16 GB free on \/.*found 9 GB\n.*TESTBED_CACHE/],
  [
    'a DOCKER_HOST that is down',
    { DOCKER_HOST: 'tcp://h', STUB_DOCKER_ABSENT: 'y' },
    /DOCKER_HOST.*tcp:\/\/h\n.*unset/,
  ],
])('%s is refused with what was found and what to do', async (_, env, message) => {
  const { run, calls } = machine();
  const { exitCode, stdout, stderr } = await run('up.sh', env);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(message);
  expect(builds(calls())).toBe(0);
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s while the image is assembled leaves no container behind',
  async (signal) => {
    const { run, calls, hanging } = machine();
    const interrupted = run('up.sh', { STUB_HANG: 'docker exec' });
    const program = await hanging();
    interrupted.kill(signal);
    expect((await interrupted).exitCode).toBe(signal === 'SIGINT' ? 130 : 143);
    expect(calls().at(-1)).toBe('docker rm -fv testbed-import-v1.34.0');
    expect(exists(program)).toBe(false);
    expect((await run('up.sh')).stdout).toContain(image);
  },
);

test('an image whose assembly was killed is assembled again, without the container that was left', async () => {
  const { run, calls, hanging, read } = machine();
  const killed = run('up.sh', { STUB_HANG: 'docker exec' });
  const program = await hanging();
  killed.kill('SIGKILL');
  await killed;
  process.kill(program);
  expect(read('label')).toBe('');
  const before = calls().length;
  expect((await run('up.sh')).exitCode).toBe(0);
  const after = calls().slice(before);
  expect(after.indexOf('docker rm -fv testbed-import-v1.34.0')).toBeLessThan(
    after.findIndex((call) => call.startsWith('docker create')),
  );
  expect(builds(after)).toBe(0);
  expect(read('label')).toMatch(/^[0-9a-f]{12}\n$/);
});

test.each([
  ['a program', 'kubelet.new', 'bin/kubelet'],
  ['the root file system', 'unshare', 'rootfs.tar'],
])('%s whose build was interrupted is built again, and ended with the run', async (_, call, product) => {
  const { run, hanging, cache } = machine();
  const interrupted = run('up.sh', { STUB_HANG: call });
  const program = await hanging();
  interrupted.kill('SIGTERM');
  expect((await interrupted).exitCode).toBe(143);
  expect(exists(program)).toBe(false);
  expect(existsSync(join(cache, product))).toBe(false);
  expect((await run('up.sh')).exitCode).toBe(0);
  expect(existsSync(join(cache, product))).toBe(true);
});

test('a missing part of a finished cache is built again, and only that', async () => {
  const { run, calls, cache } = machine();
  await run('up.sh');
  rmSync(join(cache, 'bin/etcd'));
  const before = calls().length;
  await run('up.sh');
  expect(
    calls()
      .slice(before)
      .filter((call) => call.startsWith('go build')),
  ).toEqual([expect.stringContaining('etcd')]);
});

test('an archive of images is never taken from an earlier version', async () => {
  const { run, cache, read } = machine();
  await run('up.sh');
  writeFileSync(join(cache, 'images.tar'), 'of another version');
  await run('up.sh', { TESTBED_KUBERNETES: 'v1.37.2' });
  expect(read('imported')).toBe('archive\n');
});

test('a download that the network broke is tried again', async () => {
  const { run, calls } = machine();
  const { exitCode, stderr } = await run('up.sh', {
    STUB_TROUBLE: 'go: k8s.io/api@v0.34.0: read tcp: connection reset by peer',
  });
  expect(exitCode).toBe(0);
  expect(stderr).toContain('connection reset by peer; again in 5 s');
  expect(calls()).toContain('sleep 5');
});

test('a build that fails for its own reasons ends the run with the end of its output', async () => {
  const { run } = machine();
  const { exitCode, stdout, stderr } = await run('up.sh', { STUB_TROUBLE: 'undefined: frobnicate' });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(/undefined: frobnicate\n.*this command failed: .*kubelet.*\n.*go-kubelet\.log/);
});

test('a kernel limit that a few nodes would exhaust is raised, and one that may not be raised is only warned of', async () => {
  const { run, calls } = machine();
  expect((await run('up.sh', { STUB_LIMIT: '128' })).exitCode).toBe(0);
  expect(calls()).toContain('sysctl -q -w fs.inotify.max_user_instances=1024');
  const { exitCode, stderr } = await run('up.sh', { STUB_LIMIT: '128', STUB_LIMIT_FIXED: 'yes' });
  expect(exitCode).toBe(0);
  expect(stderr).toContain('warning: fs.inotify.max_user_instances stays at 128');
});

test('kind and kubectl are found on PATH afterwards; what is there already stays', async () => {
  const { run, cache, programs } = machine();
  symlinkSync('/bin/true', join(programs, 'kubectl'));
  expect((await run('up.sh')).exitCode).toBe(0);
  expect(realpathSync(join(programs, 'kind'))).toBe(realpathSync(join(cache, 'bin/kind')));
  expect(readlinkSync(join(programs, 'kubectl'))).toBe('/bin/true');
});
