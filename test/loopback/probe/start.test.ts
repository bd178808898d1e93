import { type Socket, createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type Server, createServer } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ProbeProcess, freePorts, probeBundle, startProbe } from './probe-process.ts';
import { dialTcp } from './tcp-client.ts';

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  new ProbeProcess(process.execPath, [probeBundle, ...args], env);

async function occupied(kind: 'tcp' | 'udp'): Promise<{ readonly port: number; readonly holder: Server | Socket }> {
  if (kind === 'udp') {
    const holder = createSocket('udp4');
    holder.bind(0, '127.0.0.1');
    await once(holder, 'listening');
    return { port: holder.address().port, holder };
  }
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const address = holder.address();
  if (address === null || typeof address === 'string') throw new TypeError('A TCP server has a port');
  return { port: address.port, holder };
}

test('started tells who, how, where, and on which clock', async () => {
  await using probe = await startProbe(['--behavior=exit-now', '--drain-seconds=2.5'], { POD_NAME: 'web-x2x9q' });
  const { started } = probe;

  expect(started).toMatchObject({
    protocol: 1,
    pod: 'web-x2x9q',
    behavior: 'exit-now',
    drainSeconds: 2.5,
    pid: probe.child.pid,
    bootId: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
    timeNamespaceOffsetNs: '0',
  });
  expect(started.identity).toMatch(/^web-x2x9q\/[0-9a-f]{8}$/);
  expect(new Set([started.tcpPort, started.udpPort, started.httpPort, 0]).size).toBe(4);
});

test("without POD_NAME the pod is the host's name", async () => {
  await using probe = await startProbe([], { POD_NAME: undefined });
  expect(probe.started.pod).toBe(hostname());
});

test('two processes of one pod are two identities', async () => {
  await using first = await startProbe();
  await using second = await startProbe();
  expect(first.started.pod).toBe(second.started.pod);
  expect(first.started.identity).not.toBe(second.started.identity);
});

test('health and readiness are 200, any other path is 404, any other method 405', async () => {
  await using probe = await startProbe();
  const at = `http://127.0.0.1:${probe.started.httpPort}`;
  const answers = [
    fetch(`${at}/healthz`),
    fetch(`${at}/readyz`),
    fetch(`${at}/readyz?verbose`),
    fetch(`${at}/`),
    fetch(`${at}/readyz`, { method: 'POST' }),
  ];
  const statuses = (await Promise.all(answers)).map((answer) => answer.status);
  expect(statuses).toEqual([200, 200, 200, 404, 405]);
});

test.each([
  ['--tcp-port', 'tcp'],
  ['--udp-port', 'udp'],
  ['--http-port', 'tcp'],
] as const)('%s in use is one line on standard error that names it, and exit status 2', async (option, kind) => {
  const { port, holder } = await occupied(kind);
  await using probe = run(['--host=127.0.0.1', ...freePorts, `${option}=${port}`]);

  expect(await probe.ended).toEqual({ exitCode: 2, signal: null });
  expect(probe.stderr).toMatch(new RegExp(`^probe: [^\\n]*${port} \\(${option}\\)[^\\n]*EADDRINUSE[^\\n]*\\n$`));
  expect(probe.log).toEqual([]);
  holder.close();
});

test.each([
  [['--behavior=explode'], {}, '--behavior'],
  [['--colour=red'], {}, '--colour'],
  [['--host=192.0.2.1', ...freePorts], {}, 'EADDRNOTAVAIL'],
  [freePorts, { POD_NAME: 'a b' }, 'POD_NAME'],
])('%j with %j is one line on standard error that names what is wrong, and exit status 2', async (args, env, named) => {
  await using probe = run(args, env);

  expect(await probe.ended).toEqual({ exitCode: 2, signal: null });
  expect(probe.stderr).toMatch(/^probe: [^\n]+\n$/);
  expect(probe.stderr).toContain(named);
  expect(probe.log).toEqual([]);
});

test('with --exit-with-stdin the end of standard input ends the process at once, with status 3', async () => {
  await using probe = await startProbe(['--exit-with-stdin', '--behavior=drain', '--drain-seconds=60']);
  probe.sigterm();
  await probe.logged('readiness-withdrawn');

  probe.child.stdin.end('whatever was still to be read');

  expect(await probe.ended).toEqual({ exitCode: 3, signal: null });
  expect(probe.log.at(-1)).toMatchObject({ event: 'exiting', exitCode: 3 });
});

test('without it, standard input means nothing', async () => {
  await using probe = await startProbe();
  using client = await dialTcp(probe.started.tcpPort);
  probe.child.stdin.end();
  await sleep(200);
  expect(await client.ask(1)).toMatch(/^pong 1 /);
});

test('a reader that left the log changes nothing for clients, nor for the exit', async () => {
  await using probe = await startProbe(['--behavior=drain', '--drain-seconds=0.2']);
  using client = await dialTcp(probe.started.tcpPort);
  probe.child.stdout.destroy();

  probe.sigterm();

  expect(await client.ended).toEqual({ by: 'fin' });
  expect(client.lines.at(-1)).toMatch(/^bye /);
  expect(await probe.ended).toEqual({ exitCode: 0, signal: null });
});
