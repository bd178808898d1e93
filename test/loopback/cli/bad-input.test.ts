import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { builtCli, startCli, stateIn, temporaryFolder } from './command.ts';

const kubeconfig = (server: string) => `
apiVersion: v1
kind: Config
clusters: [{ name: c, cluster: { server: '${server}' } }]
users: [{ name: u, user: { token: t } }]
contexts: [{ name: x, context: { cluster: c, user: u } }]
current-context: x
`;
const matrix = 'name: mine\ndescription: mine\nscenarios: [exit-now]\n';

/** Runs, and expects the one line that a reader can act on, exit status 2, and nothing but what was there before. */
async function refused(
  args: readonly string[],
  line: RegExp,
  prepare: (folder: string) => void = () => undefined,
  env = {},
) {
  const folder = temporaryFolder();
  prepare(folder);
  const before = readdirSync(folder, { recursive: true }).toSorted();
  const { exitCode, stderr, stdout } = await startCli(args, folder, env);
  const lines = stderr.split('\n').filter((text) => text.startsWith('drainwatch: '));
  expect({ exitCode, stdout, lines: lines.length, line: lines[0] }).toEqual({
    exitCode: 2,
    stdout: '',
    lines: 1,
    line: expect.stringMatching(line) as string,
  });
  expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual(before);
}

test.each([
  [['run', '--provider', 'local', '--scenarios', 'exit-fast'], /unknown scenario "exit-fast".*exit-now, drain, ignore/],
  [['run', '--provider', 'kind', '--proxy-modes', 'ebpf'], /unknown proxy mode "ebpf".*iptables, nftables, ipvs/],
  [['run', '--provider', 'moon'], /unknown provider "moon".*auto, kind, kubeconfig, local/],
  [['run', '--provider', 'local', '--proxy-modes', 'iptables'], /provider local, which makes no cluster/],
  [['run', '--matrix', 'no-such'], /no matrix and no file is named no-such/],
  [['run', '--repeats', '-1'], /--repeats.*'-1' is invalid.*from 1 to 1000/],
  [['run', '--repeats', '1e9'], /--repeats.*whole number from 1 to 1000/],
  [['run', '--grace-period', '0'], /--grace-period.*from 1 to 3600/],
  [['run', '--provider', 'local', '--scenarios', 'drain', '--grace-period', '4'], /grace period of 4 s.*more than 5 s/],
  [['run', '--provider', 'local', '--tcp-flows', '0', '--udp-flows', '0'], /flows/],
  [['run', '--udp-flows', '99999999'], /from 0 to 5000/],
  [['demo', '--new-connections', '1001'], /--new-connections.*whole number from 0 to 1000/],
  [['run', '--settle', 'NaN'], /--settle.*from 0 to 600/],
  [['run', '--port', '70000'], /--port.*from 1 to 65535/],
  [['run', '--scenarios', 'drain,,ignore'], /names separated by commas/],
  [['run', '--resume', 'nowhere'], /nowhere does not exist/],
  [['run', '--no-such-option'], /unknown option '--no-such-option'/],
  [['fly'], /unknown command 'fly'/],
  [['aggregate', 'nowhere'], /nowhere does not exist/],
  [['report', 'nowhere'], /nowhere does not exist/],
  [['report', 'nowhere', '--format', 'pdf'], /Allowed choices are table, json/],
  [['explain', 'nowhere'], /nowhere does not exist/],
])('%j is refused in one line, with exit status 2', async (args, line) => {
  await refused(args, line);
});

test('more flows than the limit on open files allows are refused before anything is made', async () => {
  const folder = temporaryFolder();
  const run = [builtCli, 'run', '--provider', 'local', '--tcp-flows', '200', '--udp-flows', '200'];
  const limited = ['-c', 'ulimit -n 300; exec "$0" "$@"', process.execPath, ...run];
  const { exitCode, stderr } = await execa('/bin/sh', limited, { cwd: folder, reject: false, env: stateIn(folder) });
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^drainwatch: a limit of 300; expected: room for 400 sockets: .*ulimit -n/m);
  expect(readdirSync(folder)).toEqual([]);
});

test('an unknown field of a matrix file is named, with the fields that there are', async () => {
  const prepare = (folder: string) => {
    writeFileSync(join(folder, 'mine.yaml'), `${matrix}repeat: 3\n`);
  };
  await refused(['run', '--matrix', 'mine.yaml'], /mine\.yaml: unknown field "repeat".*repeats/, prepare);
});

test('a matrix that is a pipe is refused, and not waited for', async () => {
  const prepare = (folder: string) => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
  };
  await refused(['plan', '--matrix', 'pipe'], /pipe, which is no regular file/, prepare);
});

test('what was typed comes back on one line, cut, and without a character that a terminal acts on', async () => {
  const typed = `\u001b[31mred\n${'x'.repeat(10_000)}`;
  for (const option of ['--scenarios', '--matrix', '--repeats', '--proxy-modes']) {
    const { stderr, exitCode } = await startCli(['run', '--provider', 'kind', option, typed], temporaryFolder());
    expect({ exitCode, acts: stderr.includes('\u001b'), long: stderr.length > 700 }).toEqual({
      exitCode: 2,
      acts: false,
      long: false,
    });
  }
});

test('an output folder that holds something is left as it is', async () => {
  const prepare = (folder: string) => {
    mkdirSync(join(folder, 'out'));
    writeFileSync(join(folder, 'out', 'thesis.txt'), 'years of work');
  };
  await refused(['demo', '-o', 'out'], /out holds other files/, prepare);
});

test('an output folder that can’t be written is refused', async () => {
  // root may write anywhere but below a file or in a pseudo file system
  await refused(['demo', '-o', '/proc/drainwatch'], /\/proc\/drainwatch can't be/);
  const prepare = (folder: string) => {
    writeFileSync(join(folder, 'file'), '');
  };
  await refused(['demo', '-o', 'file/below'], /is a file, or lies below one/, prepare);
});

test('Docker that does not run is a reason, with what to do, for provider kind', async () => {
  const env = { DOCKER_HOST: 'unix:///nonexistent/docker.sock' };
  await refused(['run', '--provider', 'kind'], /Docker.*(start it|install)/i, undefined, env);
});

test('a port in use is named', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  try {
    const { port } = holder.address() as AddressInfo;
    const args = ['run', '--provider', 'local', '--scenarios', 'exit-now', '--repeats', '1', '--port', `${port}`];
    await refused(args, new RegExp(`${port}.*(in use|free)`));
  } finally {
    holder.close();
  }
});

test.each([
  ['whose cluster is gone', 'https://127.0.0.1:9', /127\.0\.0\.1:9/],
  ['that names no server', '', /server|kubeconfig/i],
])('a kubeconfig %s is refused', async (_, server, line) => {
  const prepare = (folder: string) => {
    writeFileSync(join(folder, 'kubeconfig'), kubeconfig(server));
  };
  const args = [
    'run',
    '--provider',
    'kubeconfig',
    '--kubeconfig',
    'kubeconfig',
    '--probe-image',
    'x',
    '--scenarios',
    'exit-now',
  ];
  await refused(args, line, prepare);
});

test('a kubeconfig that does not exist is refused', async () => {
  await refused(['run', '--provider', 'kubeconfig', '--kubeconfig', 'missing', '--probe-image', 'x'], /missing/);
});
