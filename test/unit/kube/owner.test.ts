import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isAbandoned, ownerAnnotations, ownerKey } from '../../../src/kube/owner.ts';
import { identify } from '../../../src/process/process-identity.ts';

const now = new Date('2026-01-02T12:00:00Z');
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 60 * 60_000);
const here = { ...identify(process.pid), pidNamespace: readlinkSync('/proc/self/ns/pid') };
const madeBy = (owner: object, hours: number) => ({
  annotations: { [ownerKey]: JSON.stringify(owner) },
  creationTimestamp: hoursAgo(hours),
});

test('what a living process made is never abandoned, however old it is', () => {
  expect(isAbandoned({ annotations: ownerAnnotations(), creationTimestamp: hoursAgo(1000) }, now)).toBe(false);
});

test('what a process made that was killed is abandoned at once', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  const owner = { ...identify(child.pid ?? 0), pidNamespace: here.pidNamespace };
  expect(isAbandoned(madeBy(owner, 0), now)).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isAbandoned(madeBy(owner, 0), now)).toBe(true);
});

test('a pid that another process has now does not stand for the one that had it', () => {
  expect(isAbandoned(madeBy({ ...here, startTicks: '1' }, 0), now)).toBe(true);
});

test.each([
  ['of another machine, or of an earlier boot', { ...here, bootId: 'other', startTicks: '1' }],
  [
    'of another container of this kernel, whose pids are its own',
    { ...here, pidNamespace: 'pid:[1]', startTicks: '1' },
  ],
  ['that is no owner', { pid: 'none' }],
])('an owner %s is believed for a day', (_what, owner) => {
  expect(isAbandoned(madeBy(owner, 23), now)).toBe(false);
  expect(isAbandoned(madeBy(owner, 25), now)).toBe(true);
});

test('an object that names no owner is given the same day, and one of unknown age stays', () => {
  expect(isAbandoned({ creationTimestamp: hoursAgo(23) }, now)).toBe(false);
  expect(isAbandoned({ creationTimestamp: hoursAgo(25) }, now)).toBe(true);
  expect(isAbandoned({ annotations: { [ownerKey]: 'no JSON' } }, now)).toBe(false);
});
