import { expect, vi } from 'vitest';
import { z } from 'zod';
import { ResourceWatch, type Watched } from '../../../src/kube/resource-watch.ts';
import { type Answer, type ApiServer, startApiServer } from './api-server.ts';

interface Item extends Watched {
  readonly value: string;
}

const itemSchema = z.object({
  metadata: z.object({ name: z.string(), resourceVersion: z.string() }),
  value: z.string(),
});

export const item = (name: string, version: number, value: string) => ({
  metadata: { name, resourceVersion: `${version}` },
  value,
});
export const line = (type: string, object: object): string => `${JSON.stringify({ type, object })}\n`;

export interface Recorder extends AsyncDisposable {
  readonly server: ApiServer;
  readonly watch: ResourceWatch<Item>;
  /** States of the collection, and what was told of the connection, in order. */
  readonly told: readonly string[];
  /** Waits until something was told. */
  until(entry: string | RegExp): Promise<void>;
  /** The queries of the watches that were opened. */
  watches(): readonly (string | null)[];
}

/** Watches a collection of an API server whose watch answers are given; `lists` are its successive lists. */
export async function record(
  lists: readonly { readonly version: number; readonly items: readonly object[] }[],
  answer: Answer,
): Promise<Recorder> {
  const server = await startApiServer(answer);
  const told: string[] = [];
  let listed = 0;
  const watch = new ResourceWatch<Item>({
    config: server.config,
    resource: 'things',
    path: '/things',
    labelSelector: 'run=1',
    list: () => {
      const list = lists[Math.min(listed++, lists.length - 1)];
      return Promise.resolve({ resourceVersion: `${list?.version ?? 0}`, items: list?.items ?? [] });
    },
    parse: (object) => {
      const { metadata, value } = itemSchema.parse(object);
      return { ...metadata, value };
    },
    onChange: (_previous, next) => {
      told.push([...next.values()].map(({ name, value }) => `${name}=${value}`).join(' ') || 'nothing');
    },
    onInterrupted: (reason) => told.push(`interrupted: ${reason}`),
    onResumed: (gapMs) => told.push(`resumed after ${gapMs >= 0 ? 'a gap' : 'nonsense'}`),
  });
  return {
    server,
    watch,
    told,
    until: (entry) =>
      vi.waitFor(
        () => {
          expect(told.some((each) => (typeof entry === 'string' ? each === entry : entry.test(each)))).toBe(true);
        },
        { timeout: 20_000, interval: 20 },
      ),
    watches: () => server.asked.map(({ searchParams }) => searchParams.get('resourceVersion')),
    async [Symbol.asyncDispose]() {
      await watch.stop();
      await server[Symbol.asyncDispose]();
    },
  };
}
