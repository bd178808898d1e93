import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { RawEvent } from '../../../src/domain/event.ts';
import { KubernetesApi } from '../../../src/kube/api.ts';
import { workloadNames } from '../../../src/kube/manifests.ts';
import { Observation } from '../../../src/kube/observation.ts';
import { openStream, refuse, startApiServer } from './api-server.ts';
import { line } from './watch-recorder.ts';

const names = workloadNames(
  { name: 'x', behavior: 'ignore', gracePeriodSeconds: 30, drainSeconds: 25 },
  undefined,
  'a1b2',
);

/** The pod of a trial in which SIGKILL ends the probe. */
const podAt = (version: number, stage: 'ready' | 'terminating' | 'killed') => ({
  metadata: {
    name: 'pod',
    resourceVersion: `${version}`,
    ...(stage !== 'ready' && { deletionTimestamp: '2026-01-01T00:00:30Z' }),
  },
  spec: { nodeName: 'worker' },
  status: {
    conditions: [{ type: 'Ready', status: stage === 'killed' ? 'False' : 'True' }],
    containerStatuses: [
      {
        name: 'probe',
        restartCount: 0,
        state: stage === 'killed' ? { terminated: { exitCode: 137, reason: 'Error' } } : { running: {} },
      },
    ],
  },
});

/** Observes a server that lists `lists` of pods, one after the other, and answers the watches of pods with `watches`. */
async function observe(
  lists: readonly (readonly object[])[],
  watches: readonly ((response: ServerResponse) => void)[],
) {
  const [listing, watching] = [lists.values(), watches.values()];
  const server = await startApiServer((_request, response, { pathname, searchParams }) => {
    const isPods = pathname.endsWith('/pods');
    if (searchParams.get('watch') === 'true') {
      const answer = isPods ? watching.next().value : undefined;
      (answer ?? openStream)(response);
      return;
    }
    const items = isPods ? (listing.next().value ?? []) : [];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ metadata: { resourceVersion: '10' }, items }));
  });
  const api = new KubernetesApi(server.config);
  const events: RawEvent[] = [];
  const observation = new Observation(api, names, (event) => events.push(event));
  onTestFinished(async () => {
    await observation.stop();
    api[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
  });
  await observation.start(AbortSignal.timeout(20_000));
  return {
    observation,
    events,
    told: () => events.map(({ name }) => name),
    until: (name: RawEvent['name']) =>
      vi.waitFor(
        () => {
          expect(events.map((event) => event.name)).toContain(name);
        },
        { timeout: 20_000, interval: 20 },
      ),
  };
}

/** Tells of the deletion, then breaks while SIGKILL is due. */
const breakBeforeTheKill = (response: ServerResponse) => {
  openStream(response).write(line('MODIFIED', podAt(11, 'terminating')), () => {
    setTimeout(() => response.destroy(), 50);
  });
};
const expired = (response: ServerResponse) => {
  refuse(response, 410, 'too old resource version');
};

test('a watch that reconnects while SIGKILL is due tells of it late, in order, with its exit code', async () => {
  const { observation, events, told, until } = await observe(
    [[podAt(9, 'ready')]],
    [
      breakBeforeTheKill,
      (response) => {
        const stream = openStream(response);
        stream.write(line('MODIFIED', podAt(12, 'killed')));
        stream.write(line('DELETED', podAt(13, 'killed')));
      },
    ],
  );
  await until('pod-deleted');
  expect(told()).toEqual([
    'pod-ready',
    'pod-terminating',
    'watch-interrupted',
    'watch-resumed',
    'pod-not-ready',
    'container-terminated',
    'pod-deleted',
  ]);
  expect(events.find(({ name }) => name === 'container-terminated')?.payload).toMatchObject({ exitCode: 137 });
  expect(observation.missedOf('pod')).toEqual({});
});

test('over a 410, a pod that is still there tells its end by the new list', async () => {
  const { observation, events, until } = await observe(
    [[podAt(9, 'ready')], [podAt(12, 'killed')]],
    [breakBeforeTheKill, expired],
  );
  await until('container-terminated');
  expect(events.find(({ name }) => name === 'container-terminated')?.payload).toMatchObject({ exitCode: 137 });
  expect(observation.missedOf('pod')).toEqual({});
});

test('over a 410, the end of a pod that is gone meanwhile was not observed, and the reason names the watch', async () => {
  const { observation, told, until } = await observe([[podAt(9, 'ready')], []], [breakBeforeTheKill, expired]);
  await until('pod-deleted');
  expect(told()).not.toContain('container-terminated');
  expect(observation.missedOf('pod')).toEqual({
    'container-terminated': expect.stringContaining('the pods watch was interrupted') as string,
    'pod-not-ready': expect.stringContaining('the pods watch was interrupted') as string,
  });
});
