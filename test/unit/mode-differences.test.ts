import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planOfStoredRun } from '../../src/assembly/prepare-run.ts';
import { sumUp } from '../../src/assembly/sum-up.ts';
import { notMeasured } from '../../src/domain/measured.ts';
import type { Flow } from '../../src/domain/flow.ts';
import type { Trial } from '../../src/domain/trial.ts';
import { createRunFolder } from '../../src/report/store.ts';
import { drainedTrial, event, exact, flow, pod, receipt, rehomed, successor } from './metrics/example-trial.ts';
import { manifest, matrix, reportOf } from './report/example-reports.ts';
import { folderSession } from '../fixtures/session.ts';

const script = 'scripts/check-mode-differences.mjs';
/** The same for the same seed, from 0 to 1 (Park and Miller, "Random Number Generators", 1988). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** One mode re-homes UDP once the replacement is ready, the other leaves it on the pod to its end. */
function trialUnder(proxyMode: string, scenario: string, repeat: number): Trial {
  const random = randomFrom(1 + repeat * 97 + proxyMode.charCodeAt(0) * 1009 + scenario.length * 7919);
  // whole milliseconds, so that samples have ties
  const around = (tMs: number, width: number) => Math.round(tMs + width * random());
  const exitMs = around(25_030, 30);
  const staying = (): Flow =>
    flow('udp', {
      kind: 'severed',
      at: exact(around(exitMs, 10)),
      by: random() < 0.5 ? 'icmp-unreachable' : 'silence',
    });
  const id = `${scenario}.${proxyMode}`;
  return {
    ...drainedTrial,
    id: `${id}-0${repeat}`,
    arm: { id, scenario, proxyMode, kubernetesVersion: null },
    repeat,
    firstOnCluster: repeat === 1,
    timeline: [
      event('trigger-issued', exact(0), { trigger: 'delete', pod }),
      event('endpoint-not-ready', receipt(around(20, 40)), { pod, serving: true, terminating: true }),
      event('sigterm-received', exact(around(20, 30)), { pod }),
      event('endpoint-ready', receipt(around(1_200, 100)), { pod: successor }),
      event('probe-exiting', exact(exitMs), { pod, exitCode: 0 }),
      event('container-terminated', receipt(around(25_200, 90)), {
        pod,
        exitCode: 0,
        signal: null,
        reason: 'Completed',
      }),
      event('endpoint-removed', receipt(around(25_300, 90)), { pod }),
    ],
    flows: [
      flow('tcp', { kind: 'drained-clean-close', at: exact(around(25_010, 10)) }),
      ...(proxyMode === 'iptables'
        ? [rehomed(around(2_200, 100)), rehomed(around(2_200, 100))]
        : [staying(), staying()]),
    ],
  };
}

let root: string;
let folder: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'modes-'));
  folder = join(root, 'run');
  const modes = { ...matrix, scenarios: ['drain', 'drain-evict'], proxyModes: ['iptables', 'nftables'] };
  const run = await createRunFolder(folder, { ...manifest, matrix: modes });
  for (const scenario of modes.scenarios) {
    for (const proxyMode of modes.proxyModes) {
      for (const repeat of [1, 2, 3, 4, 5]) await run.writeTrial(reportOf(trialUnder(proxyMode, scenario, repeat)));
    }
  }
  await sumUp(run, planOfStoredRun(run, folderSession), notMeasured('a test'));
});
afterAll(() => {
  rmSync(root, { recursive: true });
});

const check = (path: string) => spawnSync(process.execPath, [script, path], { encoding: 'utf8' });

describe('the differences between modes that a run tells of', () => {
  test('are those that counting flows again and dealing out every value finds', () => {
    const { status, stdout, stderr } = check(folder);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /[1-9]\d* medians with ranges, [1-9]\d* shifts and [1-9]\d* outcomes were counted again; all agree/,
    );
  });

  test('are found from the CSV files where the trials were not kept', () => {
    const copy = join(root, 'csv');
    execFileSync('cp', ['-r', folder, copy]);
    rmSync(join(copy, 'trials'), { recursive: true });
    expect(check(copy)).toMatchObject({ status: 0, stderr: '' });
  });

  test.each([
    ['p', (text: string) => text.replace(/"adjustedPValue": 0\.0\d+/, '"adjustedPValue": 0.5')],
    ['finding', (text: string) => text.replace('"finding": "shifted"', '"finding": "no-shift"')],
    ['shift', (text: string) => text.replace(/"shift": (-?\d+)/, (_all, shift) => `"shift": ${Number(shift) + 7}`)],
    ['way', (text: string) => text.replace('"way": "severed (rehomed)"', '"way": "survived-observation-window"')],
  ])('are not agreed with where one %s is another', (_, change) => {
    const copy = join(root, `changed-${_}`);
    execFileSync('cp', ['-r', folder, copy]);
    const path = join(copy, 'aggregate.json');
    const text = readFileSync(path, 'utf8');
    const changed = change(text);
    expect(changed).not.toBe(text);
    writeFileSync(path, changed);
    const { status, stderr } = check(copy);
    expect(status).toBe(1);
    expect(stderr).toContain('✗');
  });

  test('are asked for in vain of a run with one mode', () => {
    expect(check('docs/results/standard-kind-v1.34.0')).toMatchObject({ status: 2 });
  });
});
