import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ProbeProcess, freePorts, probeBundle } from './probe-process.ts';

const asMappedRoot = ['--user', '--map-root-user', '--fork', '--kill-child'];
const mayUnshare = (...namespaces: readonly string[]) =>
  spawnSync('unshare', [...asMappedRoot, ...namespaces, 'true']).status === 0;
const refused = 'this machine does not let an ordinary user make such a namespace';

const unshared = (namespaces: readonly string[], args: readonly string[]) =>
  new ProbeProcess('unshare', [...asMappedRoot, ...namespaces, process.execPath, probeBundle, ...freePorts, ...args], {
    POD_NAME: 'pod-a',
  });

/** The probe, which is the only child of the `unshare` that was started. */
const probePidOf = ({ child: { pid } }: ProbeProcess): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'));

test('as process 1, for which the kernel has no default action, the probe takes SIGTERM and exits with 0', async ({
  skip,
}) => {
  skip(!mayUnshare('--pid'), refused);
  await using probe = unshared(['--pid'], ['--behavior=exit-now']);
  expect((await probe.logged('started')).pid).toBe(1);

  process.kill(probePidOf(probe), 'SIGTERM');

  expect(await probe.ended).toEqual({ exitCode: 0, signal: null });
  expect(probe.events).toEqual(['started', 'sigterm-received', 'exiting']);
});

test('in a time namespace the probe tells how far its clock is set off', async ({ skip }) => {
  const namespaces = ['--time', '--monotonic', '86400'];
  skip(!mayUnshare(...namespaces), refused);
  await using probe = unshared(namespaces, ['--behavior=exit-now']);

  const hereNs = process.hrtime.bigint();
  const started = await probe.logged('started');

  expect(started.timeNamespaceOffsetNs).toBe('86400000000000');
  const apartSeconds = Number(started.monotonicNs - hereNs) / 1e9;
  expect(apartSeconds).toBeGreaterThan(86_400 - 60);
  expect(apartSeconds).toBeLessThan(86_400 + 60);
});
