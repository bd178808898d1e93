import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { FlowSpec } from '../../../src/domain/client.ts';
import type { FlowRecord } from '../../../src/domain/flow.ts';
import { valueOf } from '../../../src/domain/measured.ts';
import { startProbe } from '../probe/probe-process.ts';
import { openAnswered, specOf } from './open-flows.ts';

const tenAndTen: Partial<FlowSpec> = { tcp: 10, udp: 10, tcpHeartbeatMs: 500, udpIntervalMs: 20 };

const specFor = ({ tcpPort, udpPort }: { tcpPort: number; udpPort: number }) =>
  specOf({ tcp: tcpPort, udp: udpPort }, { ...tenAndTen, tcpReadTimeoutMs: 5_000, udpSilenceMs: 1_000 });

const endsOf = (flows: readonly FlowRecord[], protocol: FlowRecord['protocol']) =>
  new Set(
    flows
      .filter((flow) => flow.protocol === protocol)
      .map(({ end }) => (end?.kind === 'error' ? end.code : (end?.kind ?? 'none'))),
  );

test('exit-now: every connection is reset and every datagram refused', async () => {
  await using probe = await startProbe(['--behavior=exit-now']);
  await using flows = await openAnswered(specFor(probe.started));
  flows.mark();
  probe.sigterm();
  await flows.allEnded;
  const { flows: records } = await flows.finish();
  expect(endsOf(records, 'tcp')).toEqual(new Set(['ECONNRESET']));
  expect(endsOf(records, 'udp')).toEqual(new Set(['ECONNREFUSED']));
  expect(records.filter(({ announcedNs }) => announcedNs !== null)).toEqual([]);
});

test('drain: every connection is served for the drain time, announced and closed, and the probe need not wait', async () => {
  await using probe = await startProbe(['--behavior=drain', '--drain-seconds=1']);
  await using flows = await openAnswered(specFor(probe.started));
  probe.sigterm();
  const { monotonicNs: sigtermNs } = await probe.logged('sigterm-received');
  await flows.allEnded;
  const { flows: records } = await flows.finish();
  const announced = await probe.logged('close-announced');
  const exiting = await probe.logged('exiting');
  expect(endsOf(records, 'tcp')).toEqual(new Set(['fin']));
  expect(endsOf(records, 'udp')).toEqual(new Set(['ECONNREFUSED']));
  for (const { protocol, announcedNs, end } of records) {
    expect(end?.atNs).toBeGreaterThan(sigtermNs + 1_000_000_000n);
    expect(announcedNs !== null && announcedNs >= announced.monotonicNs).toBe(protocol === 'tcp');
  }
  // the probe waits 1 s for peers that do not close
  expect(Number(exiting.monotonicNs - announced.monotonicNs) / 1e6).toBeLessThan(700);
});

test('SIGKILL: no connection is announced, and all ended after the kill', async () => {
  await using probe = await startProbe(['--behavior=ignore']);
  await using flows = await openAnswered(specFor(probe.started));
  probe.sigterm();
  await probe.logged('sigterm-received');
  await sleep(200);
  expect(await flows.status()).toMatchObject({ tcpEstablished: 10, udpReplying: 10, firstError: null });
  const killNs = process.hrtime.bigint();
  probe.child.kill('SIGKILL');
  await flows.allEnded;
  const { flows: records } = await flows.finish();
  for (const { announcedNs, end } of records) {
    expect(announcedNs).toBeNull();
    expect(end?.atNs).toBeGreaterThan(killNs);
  }
  expect(endsOf(records, 'udp')).toEqual(new Set(['ECONNREFUSED']));
});

test('a stopped process is silence to datagrams, and its late answers take the end back', async () => {
  await using probe = await startProbe(['--behavior=ignore']);
  const spec = { ...specFor(probe.started), tcpReadTimeoutMs: 60_000, udpSilenceMs: 300 };
  await using flows = await openAnswered({ ...spec, tcp: 1 });
  probe.child.kill('SIGSTOP');
  while ((await flows.status()).udpReplying > 0) await sleep(20);
  probe.child.kill('SIGCONT');
  while ((await flows.status()).udpReplying < 10) await sleep(20);
  const { flows: records } = await flows.finish();
  expect(endsOf(records, 'udp')).toEqual(new Set(['none']));
  expect(records.every(({ foreignAnswer }) => foreignAnswer === null)).toBe(true);
});

test('ten and ten flows at 20 ms take a small part of one core, and stamp without much delay', async () => {
  await using probe = await startProbe(['--behavior=ignore']);
  await using flows = await openAnswered(specFor(probe.started));
  await sleep(500);
  flows.mark();
  const cpu = process.cpuUsage();
  const startNs = process.hrtime.bigint();
  await sleep(4_000);
  const { user, system } = process.cpuUsage(cpu);
  const share = ((user + system) * 1_000) / Number(process.hrtime.bigint() - startNs);
  const { eventLoopDelayMs, sendLatenessMs } = await flows.finish();
  expect(share).toBeLessThan(0.25);
  expect(eventLoopDelayMs.p50).toBeLessThan(5);
  expect(valueOf(sendLatenessMs)?.p50).toBeLessThan(5);
  expect(eventLoopDelayMs.p50).toBeLessThanOrEqual(eventLoopDelayMs.p99);
  expect(eventLoopDelayMs.p99).toBeLessThanOrEqual(eventLoopDelayMs.max);
});

test('a thousand flows of each kind are held without a loss of the generator, and each reset reaches its flow', async () => {
  await using probe = await startProbe(['--behavior=exit-now']);
  const many = { tcp: 1_000, udp: 1_000, udpIntervalMs: 200, tcpReadTimeoutMs: 30_000, udpSilenceMs: 30_000 };
  await using flows = await openAnswered({ ...specFor(probe.started), ...many });
  await sleep(2_000);
  expect(await flows.status()).toMatchObject({ dialed: 2_000, firstError: null });
  flows.mark();
  probe.sigterm();
  await flows.allEnded;
  const { monotonicNs: exitingNs } = await probe.logged('exiting');
  const { flows: records, generator } = await flows.finish();
  expect(endsOf(records, 'tcp')).toEqual(new Set(['ECONNRESET']));
  expect(endsOf(records, 'udp')).toEqual(new Set(['ECONNREFUSED']));
  expect(records.filter(({ firstAnswer }) => firstAnswer === null)).toEqual([]);
  expect(valueOf(generator.droppedAnswers)).toEqual([]);
  expect(generator.udpBeforeMark.sent).toBeGreaterThan(5_000);
  expect(generator.udpBeforeMark.unanswered / generator.udpBeforeMark.sent).toBeLessThan(0.01);
  // the resets are told while they come, and not in the turn of some timer
  const { monotonicNs: sigtermNs } = await probe.logged('sigterm-received');
  const ends = records.flatMap(({ protocol, end }) =>
    protocol === 'tcp' && end !== null ? [Number(end.atNs - sigtermNs)] : [],
  );
  expect(Math.min(...ends)).toBeGreaterThan(0);
  expect(Math.max(...ends)).toBeLessThan(Number(exitingNs - sigtermNs) + 1e9);
});
