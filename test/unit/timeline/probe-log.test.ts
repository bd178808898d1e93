import { expect, test } from 'vitest';
import { clockDomain } from '../../../src/timeline/clock-domain.ts';
import { parseProbeLine, probeClockOf, probeEvent } from '../../../src/timeline/probe-log.ts';

const common = { monotonicNs: '12', bootId: 'boot-a', identity: 'pod-a/00000001' };
const started = {
  ...common,
  event: 'started',
  protocol: 1,
  pod: 'pod-a',
  behavior: 'drain',
  drainSeconds: 25,
  tcpPort: 7000,
  udpPort: 7000,
  httpPort: 8080,
  timeNamespaceOffsetNs: '0',
  pid: 1,
};

function clockOf(line: object) {
  const parsed = parseProbeLine(JSON.stringify(line));
  if (parsed?.event !== 'started') throw new Error('the line tells of a start');
  return probeClockOf(parsed);
}

test('a probe on a kernel without boot_id is heard, and its clock is its own', () => {
  const clock = clockOf({ ...started, bootId: null, timeNamespaceOffsetNs: null });
  expect(clock).toEqual({ identity: common.identity, bootId: null, timeNamespaceOffsetNs: null });
  const line = parseProbeLine(JSON.stringify({ ...common, bootId: null, event: 'sigterm-received' }));
  if (line === undefined || line.event === 'started') throw new Error('the line tells of an event');
  expect(probeEvent(line, 'pod-a', clock)).toEqual({
    name: 'sigterm-received',
    source: 'probe',
    stamp: 'at-occurrence',
    reading: { domain: clockDomain(clock), monotonicNs: 12n },
    payload: { pod: 'pod-a' },
  });
});

test('a field that a newer probe adds does no harm', () => {
  expect(clockOf({ ...started, colour: 'blue' }).bootId).toBe('boot-a');
});

test.each(['', 'Killed', '{"event":"started"}', JSON.stringify({ ...common, event: 'unheard-of' })])(
  'a line %j is none of the probe’s',
  (text) => {
    expect(parseProbeLine(text)).toBeUndefined();
  },
);
