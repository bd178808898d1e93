import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { identify, isAlive } from '../../../src/process/process-identity.ts';
import { createRunner } from '../../../src/process/runner.ts';
import { cleanStaleClusters } from '../../../src/providers/kind/clean-stale.ts';
import { type ClusterState, openStateFolder } from '../../../src/providers/kind/cluster-state.ts';
import { createDocker } from '../../../src/providers/kind/docker.ts';

let folder: string;
let notices: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stale-'));
  notices = [];
});
afterEach(() => rm(folder, { recursive: true }));

/** A `docker` that has the containers which the file lists, and forgets them when they are removed. */
async function start() {
  const script = `#!/bin/sh
    case "$1" in
      ps) cat ${folder}/containers 2>/dev/null ;;
      rm) echo "$@" >> ${folder}/removed; [ -e ${folder}/stubborn ] || rm ${folder}/containers ;;
    esac; exit 0`;
  await writeFile(join(folder, 'docker'), script, { mode: 0o755 });
  const environment = { PATH: `${folder}:/usr/bin:/bin` };
  const runner = createRunner({ log: () => undefined });
  const states = openStateFolder(join(folder, 'states'));
  const context = { runner, docker: createDocker(runner, environment), environment, states };
  const clean = () =>
    cleanStaleClusters(context, undefined, (text) => notices.push(text), new AbortController().signal);
  return { states, clean };
}

const alive = identify(process.pid) ?? expect.fail('this process runs');
const dead = { ...alive, startTicks: '1' };
const stale: ClusterState = {
  schemaVersion: 1,
  cluster: 'drainwatch-0000dead',
  createdAt: new Date().toISOString(),
  owner: dead,
  kind: null,
};

test("a dead owner's cluster is deleted with its state, a living owner's is left alone", async () => {
  const { states, clean } = await start();
  const living = { ...stale, cluster: 'drainwatch-0000beef', owner: alive };
  states.save(stale);
  states.save(living);
  await writeFile(states.kubeconfigOf(stale.cluster), '');
  await writeFile(join(folder, 'containers'), 'abc\ndef\n');
  expect(await clean()).toEqual([stale.cluster]);
  expect(await readFile(join(folder, 'removed'), 'utf8')).toBe('rm --force --volumes abc def\n');
  expect(states.list()).toEqual([{ path: expect.any(String) as string, state: living }]);
  expect(existsSync(states.kubeconfigOf(stale.cluster))).toBe(false);
  expect(await clean()).toEqual([]);
});

test('an orphaned kind and its children are ended before the deletion, another process of that pid is not', async () => {
  const { states, clean } = await start();
  const orphan = spawn('sh', ['-c', 'sleep 60 & wait'], { detached: true, stdio: 'ignore' });
  const bystander = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  const [kind, other] = [identify(orphan.pid ?? 0), identify(bystander.pid ?? 0)];
  if (kind === undefined || other === undefined) expect.fail('both run');
  states.save({ ...stale, kind });
  states.save({ ...stale, cluster: 'drainwatch-0001dead', kind: { ...other, startTicks: '1' } });
  expect(await clean()).toHaveLength(2);
  expect(isAlive(kind)).toBe(false);
  expect(isAlive(other)).toBe(true);
  expect(() => process.kill(-kind.pid, 0)).toThrow(/ESRCH/);
  bystander.kill('SIGKILL');
});

test('a container that appears late, of a creation that was cut off, is removed too', async () => {
  const { states, clean } = await start();
  states.save({ ...stale, kind: dead });
  const cleaned = clean();
  await delay(700);
  await writeFile(join(folder, 'containers'), 'late\n');
  expect(await cleaned).toEqual([stale.cluster]);
  expect(await readFile(join(folder, 'removed'), 'utf8')).toContain('late');
});

test("a state that is unreadable, or whose cluster can't be deleted, is told of and left", async () => {
  const { states, clean } = await start();
  states.save(stale);
  await writeFile(join(folder, 'states', 'torn.json'), '{');
  await writeFile(join(folder, 'containers'), 'abc\n');
  await writeFile(join(folder, 'stubborn'), '');
  expect(await clean()).toEqual([]);
  expect(states.list()).toHaveLength(2);
  expect(notices).toEqual([
    expect.stringMatching(/drainwatch-0000dead.* is still there: containers of it are left/),
    expect.stringMatching(/torn\.json can't be read/),
  ]);
});
