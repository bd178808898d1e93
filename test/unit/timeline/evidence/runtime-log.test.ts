import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runtimeSightings } from '../../../../src/timeline/evidence/runtime-log.ts';
import { wallClockMoments, wallNsOf } from '../../../../src/timeline/wall-clock.ts';

const offset = { leastNs: 0n, greatestNs: 100n };
const moments = wallClockMoments(offset, offset);
const at = (time: string) => moments(wallNsOf(`2026-11-30T${time}Z`));
/** Two containers of one node (containerd 2.1.3): one that SIGTERM did not end, and one that it did. */
const log = readFileSync('test/fixtures/evidence/containerd-ignore-and-drain.log', 'utf8');
const ignoring = '8339d8833f3bbaf253a42568d57e286e06c9107c802b82eae52324f662681418';
const draining = '00eaa2e68ecb48b9d6a9ca4491f1f422cf72c315f1bb58f46bf3a64c8eafc501';

test('a container that ignores SIGTERM is asked to stop, signalled, killed after the grace period, and ends with 137', () => {
  expect(runtimeSightings(log, ignoring, moments)).toEqual([
    { step: 'stop-requested', gracePeriodSeconds: 2, at: at('09:35:43.852304281') },
    { step: 'signal-sent', signal: 'SIGTERM', at: at('09:35:43.852873187') },
    { step: 'kill-sent', at: at('09:35:45.862483452') },
    // the time of the exit itself, which is before that of the line
    { step: 'exited', exitCode: 137, at: at('09:35:45.875640419') },
    { step: 'stop-answered', at: at('09:35:45.912704879') },
  ]);
});

test('one that drains is not killed, and ends with 0, which the log leaves out', () => {
  const steps = runtimeSightings(log, draining, moments);
  expect(steps.map(({ step }) => step)).toEqual(['stop-requested', 'signal-sent', 'exited', 'stop-answered']);
  expect(steps[2]).toEqual({ step: 'exited', exitCode: 0, at: at('09:35:21.459290320') });
});

test('another container’s lines are none of it, nor is what only begins as it is named', () => {
  expect(runtimeSightings(log, 'feedface', moments)).toEqual([]);
  expect(runtimeSightings(log, ignoring.slice(0, 12), moments)).toEqual([]);
});

const line = (msg: string) => `time="2026-11-30T09:35:43Z" level=info msg="${msg.replaceAll('"', String.raw`\"`)}"`;

test.each([
  ['Stop container "c1" with signal user defined signal 1', 'SIGUSR1'],
  ['Stop container "c1" with signal signal 40', 'signal 40'],
])('%s: the signal is %s', (msg, signal) => {
  expect(runtimeSightings(line(msg), 'c1', moments)).toEqual([{ step: 'signal-sent', signal, at: at('09:35:43') }]);
});

test('other versions name the container in the line of an exit', () => {
  const exit = line(
    'received container exit event container_id:"c1" id:"c1" pid:7 exit_status:137 exited_at:{seconds:5}',
  );
  expect(runtimeSightings(exit, 'c1', moments)).toEqual([
    { step: 'exited', exitCode: 137, at: moments(5_000_000_000n) },
  ]);
});

test.each([
  ['a line without a time', 'level=info msg="Kill container \\"c1\\""'],
  ['a time that is none', 'time="yesterday" level=info msg="Kill container \\"c1\\""'],
  ['a line cut short', line('StopContainer for "c1" with timeout 10 (s)').slice(0, 60)],
  ['an exit without its time', line('received exit event container_id:"c1"  id:"c1"  pid:7')],
  ['nothing', ''],
])('%s tells nothing, and ends nothing', (_, text) => {
  expect(runtimeSightings(`${text}\n${line('Kill container "c1"')}`, 'c1', moments)).toEqual([
    { step: 'kill-sent', at: at('09:35:43') },
  ]);
});
