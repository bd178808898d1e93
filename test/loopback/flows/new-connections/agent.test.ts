import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { clientClock } from '../../../../src/timeline/client-clock.ts';
import { readAttempts, readDialAnswer } from '../../../../src/timeline/agent-messages.ts';
import { probeBundle, startProbe } from '../../probe/probe-process.ts';
import { podA } from '../open-flows.ts';
import { TcpPeer } from '../tcp-peer.ts';
import { namesOf, specOf } from './dial-attempts.ts';

/** The client as its image starts it. */
async function startAgent() {
  const child = spawn(process.execPath, [probeBundle, 'dial', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { port } = JSON.parse(line) as { readonly port: number };
  const ended = once(child, 'exit');
  return {
    child,
    ended,
    ask: async (method: 'GET' | 'POST', path: string, body?: object) => {
      const request = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      const response = await fetch(`http://127.0.0.1:${port}${path}`, request);
      return { status: response.status, text: await response.text() };
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

test('it dials once it is told to, tells whose clock it reads, and gives every attempt when it is finished', async () => {
  await using probe = await startProbe(['--behavior=exit-now']);
  await using agent = await startAgent();
  const { tcpPort, udpPort, identity } = probe.started;
  expect(await agent.ask('GET', '/healthz')).toMatchObject({ status: 200 });
  const spec = specOf({ tcp: tcpPort, udp: udpPort }, { path: 'cross-node-pod' });
  const { text } = await agent.ask('POST', '/dial', spec);
  const clock = readDialAnswer(text);
  expect(clock).toMatchObject({ bootId: clientClock.bootId, timeNamespaceOffsetNs: clientClock.timeNamespaceOffsetNs });
  expect(clock.identity).not.toBe(clientClock.identity);
  await sleep(400);
  probe.sigterm();
  const sigtermNs = (await probe.logged('sigterm-received')).monotonicNs;
  await probe.ended;
  await sleep(400);
  const finished = await agent.ask('POST', '/finish');
  expect(await agent.ask('POST', '/finish')).toEqual(finished);
  const records = readAttempts(finished.text, spec.path, clock);
  expect(records.map(({ protocol }) => protocol)).toEqual(['tcp', 'udp']);
  for (const record of records) {
    const names = namesOf(record).filter((name) => name !== undefined);
    const firstFailed = names.findIndex((name) => name !== `answered ${identity}`);
    expect(firstFailed).toBeGreaterThan(0);
    expect(names.at(-1)).toBe('refused');
    // the one clock: what failed ended after the signal, as the probe's own log has it
    expect(record.attempts.endedNs[firstFailed]).toBeGreaterThan(sigtermNs);
    expect(record.attempts.startedNs[0]).toBeLessThan(sigtermNs);
  }
});

test('it refuses what it can’t do, and goes on', async () => {
  await using tcp = new TcpPeer(podA);
  await using agent = await startAgent();
  const spec = specOf({ tcp: await tcp.listen() });
  expect(await agent.ask('POST', '/finish')).toMatchObject({ status: 409 });
  expect(await agent.ask('POST', '/dial', { ...spec, intervalMs: 0 })).toMatchObject({ status: 400 });
  expect(await agent.ask('POST', '/dial', spec)).toMatchObject({ status: 200 });
  expect(await agent.ask('POST', '/dial', spec)).toMatchObject({ status: 409 });
  expect(await agent.ask('GET', '/dial')).toMatchObject({ status: 404 });
  while (tcp.sockets.size === 0) await sleep(5);
});

test('SIGTERM ends it at once', async () => {
  await using agent = await startAgent();
  agent.child.kill('SIGTERM');
  expect(await agent.ended).toEqual([0, null]);
});

test('a probe without the client beside it says so in a line, with exit status 2', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lone-probe-'));
  try {
    await copyFile(probeBundle, join(folder, 'probe.mjs'));
    const child = spawn(process.execPath, [join(folder, 'probe.mjs'), 'dial'], { stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    expect(await once(child, 'close')).toEqual([2, null]);
    expect(stderr).toMatch(/^probe: dial needs \S+agent\.mjs, which is not there\n$/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
