import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { followLog } from '../../../src/kube/log-follower.ts';
import { type ApiServer, openStream, refuse, startApiServer } from './api-server.ts';

const signal = new AbortController().signal;

/** Follows a log of which each request gets the next answer, the last one again and again. */
async function follow(answers: readonly ((response: ServerResponse, server: { end(): void }) => void)[]) {
  const lines: string[] = [];
  const refusals: unknown[] = [];
  let ended = false;
  let asked = 0;
  await using server: ApiServer = await startApiServer((_request, response) => {
    answers[Math.min(asked++, answers.length - 1)]?.(response, {
      end: () => {
        ended = true;
      },
    });
  });
  await followLog(
    {
      config: server.config,
      namespace: 'n',
      pod: 'p',
      container: 'c',
      hasEnded: () => ended,
      onLine: (line) => lines.push(line),
      onRefused: (error) => refusals.push(error),
    },
    signal,
  );
  return { lines, refusals, asked };
}

test('a log whose connection breaks is read on to its end, each line once', async () => {
  const { lines, asked } = await follow([
    (response) => {
      openStream(response).write('one\ntwo\nthr', () => response.destroy());
    },
    (response, container) => {
      container.end();
      openStream(response).end('one\ntwo\nthree\n');
    },
    (response) => openStream(response).end('one\ntwo\nthree\nlast\n'),
  ]);
  expect(lines).toEqual(['one', 'two', 'three', 'last']);
  expect(asked).toBe(3);
});

test('a stream that ends while its container lives is not the end of the log', async () => {
  const { lines } = await follow([
    (response) => openStream(response).end('one\n'),
    (response, container) => {
      openStream(response).end('one\ntwo\n');
      container.end();
    },
    (response) => openStream(response).end('one\ntwo\nthree\n'),
  ]);
  expect(lines).toEqual(['one', 'two', 'three']);
});

test('a log is over with its pod', async () => {
  const { lines, asked } = await follow([
    (response) => openStream(response).end('one\n'),
    (response) => {
      refuse(response, 404, 'pods "p" not found');
    },
  ]);
  expect([lines, asked]).toEqual([['one'], 2]);
});

test('a container that has not started yet is asked again', async () => {
  const { lines } = await follow([
    (response) => {
      refuse(response, 400, 'container "c" in pod "p" is waiting to start');
    },
    (response) => openStream(response).end('one\n'),
    (response) => {
      refuse(response, 404, 'pods "p" not found');
    },
  ]);
  expect(lines).toEqual(['one']);
});

test('a log that was read before is asked for again when a restarted API server refuses it for a while', async () => {
  const { lines, refusals } = await follow([
    (response) => openStream(response).end('one\n'),
    (response, container) => {
      container.end();
      refuse(response, 403, 'RBAC: clusterrole not found');
    },
    (response) => openStream(response).end('one\ntwo\n'),
  ]);
  expect([lines, refusals]).toEqual([['one', 'two'], []]);
});

test('a log that this user may not read is told as refused, and not asked for again', async () => {
  const { refusals, asked } = await follow([
    (response) => {
      refuse(response, 403, 'no');
    },
  ]);
  expect([refusals.length, asked]).toEqual([1, 1]);
});
