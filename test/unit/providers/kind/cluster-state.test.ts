import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ClusterState, openStateFolder } from '../../../../src/providers/kind/cluster-state.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'states-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const state: ClusterState = {
  schemaVersion: 1,
  cluster: 'drainwatch-0123abcd',
  createdAt: '2026-09-01T10:00:00.000Z',
  owner: { pid: 1, startTicks: '5', bootId: 'boot' },
  kind: null,
};

test('what was saved is listed, and a later save replaces it', () => {
  const states = openStateFolder(folder);
  states.save(state);
  states.save({ ...state, kind: { pid: 2, startTicks: '7', bootId: 'boot' } });
  expect(states.list()).toEqual([
    {
      path: join(folder, 'drainwatch-0123abcd.json'),
      state: { ...state, kind: expect.objectContaining({ pid: 2 }) as object },
    },
  ]);
});

test('removing a cluster removes its state and its kubeconfig, and nothing else', () => {
  const states = openStateFolder(folder);
  states.save(state);
  states.save({ ...state, cluster: 'drainwatch-ffffffff' });
  writeFileSync(states.kubeconfigOf(state.cluster), '');
  states.remove(state.cluster);
  states.remove(state.cluster);
  expect(readdirSync(folder)).toEqual(['drainwatch-ffffffff.json']);
});

test('a folder that was never made holds no state, and is made by the first save', () => {
  const states = openStateFolder(join(folder, 'new', 'one'));
  expect(states.list()).toEqual([]);
  states.save(state);
  expect(states.list()).toHaveLength(1);
});

test.each([
  ['torn', '{"schemaVersion": 1, "clus'],
  ['of another schema', JSON.stringify({ ...state, schemaVersion: 2 })],
  ['of a name that is not of this tool', JSON.stringify({ ...state, cluster: 'production' })],
])('a state that is %s is a problem with its path, not an exception', (_, text) => {
  writeFileSync(join(folder, 'x.json'), text);
  expect(openStateFolder(folder).list()).toEqual([
    { path: join(folder, 'x.json'), problem: expect.stringMatching(/./) as string },
  ]);
});
