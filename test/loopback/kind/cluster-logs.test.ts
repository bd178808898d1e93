import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { identify } from '../../../src/process/process-identity.ts';
import { createRunner } from '../../../src/process/runner.ts';
import { cleanStaleClusters } from '../../../src/providers/kind/clean-stale.ts';
import type { ClusterLogs } from '../../../src/providers/kind/cluster-logs.ts';
import { openStateFolder } from '../../../src/providers/kind/cluster-state.ts';
import { createDocker } from '../../../src/providers/kind/docker.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logs-'));
});
afterEach(() => rm(folder, { recursive: true }));

const alive = identify(process.pid) ?? expect.fail('this process runs');
const cluster = 'drainwatch-0000dead';

/** `kind` and `docker` that write down what they are asked, one line after the other. */
async function cleanWith(logs: ClusterLogs | undefined, kindScript = 'exit 0') {
  await writeFile(join(folder, 'kind'), `#!/bin/sh\necho "kind $*" >> ${folder}/asked; ${kindScript}\n`, {
    mode: 0o755,
  });
  const docker = `[ "$1" = ps ] && cat ${folder}/containers 2>/dev/null; [ "$1" = rm ] && rm ${folder}/containers; exit 0`;
  await writeFile(join(folder, 'docker'), `#!/bin/sh\necho "docker $1" >> ${folder}/asked; ${docker}\n`, {
    mode: 0o755,
  });
  await writeFile(join(folder, 'containers'), 'abc\n');
  const environment = { PATH: `${folder}:/usr/bin:/bin` };
  const runner = createRunner({ log: () => undefined });
  const states = openStateFolder(join(folder, 'states'));
  const createdAt = new Date().toISOString();
  states.save({ schemaVersion: 1, cluster, createdAt, owner: { ...alive, startTicks: '1' }, kind: null });
  const context = { runner, docker: createDocker(runner, environment), environment, states };
  const notices: string[] = [];
  const note = (text: string) => void notices.push(text);
  const deleted = await cleanStaleClusters(context, join(folder, 'kind'), note, AbortSignal.timeout(30_000), logs);
  return { deleted, notices, asked: (await readFile(join(folder, 'asked'), 'utf8')).split('\n') };
}

test('the logs of a cluster that is left over are kept before it is deleted', async () => {
  const { deleted, asked, notices } = await cleanWith((name, moment) => `/kept/${name}-${moment}`);
  expect(deleted).toEqual([cluster]);
  expect(asked[0]).toBe(`kind export logs /kept/${cluster}-stale --name ${cluster}`);
  expect(asked.indexOf('docker rm')).toBeGreaterThan(0);
  expect(notices).toContain(`the logs of cluster ${cluster} are in /kept/${cluster}-stale`);
});

test('logs that can’t be had don’t keep the cluster', async () => {
  const { deleted, notices } = await cleanWith(
    () => '/kept',
    '[ "$1" = export ] && { echo broken >&2; exit 1; }; exit 0',
  );
  expect(deleted).toEqual([cluster]);
  expect(notices[0]).toMatch(/^the logs of cluster drainwatch-0000dead could not all be kept: .*broken/);
});

test.each([[undefined], [() => undefined]])('where nobody wants them, no logs are asked for', async (logs) => {
  const { deleted, asked } = await cleanWith(logs);
  expect(deleted).toEqual([cluster]);
  expect(asked.filter((line) => line.includes('export'))).toEqual([]);
});
