import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { openStream, refuse } from './api-server.ts';
import { item, line, record } from './watch-recorder.ts';

const signal = new AbortController().signal;
const one = [{ version: 1, items: [item('a', 1, 'old')] }];

/** Answers the first watch with `first`, the others with `rest`. */
const inTurn = (first: (response: ServerResponse) => void, rest: (response: ServerResponse) => void) => {
  let count = 0;
  return (_request: unknown, response: ServerResponse) => {
    if (count++ === 0) first(response);
    else rest(response);
  };
};

test('a watch that breaks in the middle of a line is told as interrupted and continues from the last whole object', async () => {
  const whole = line('MODIFIED', item('a', 5, 'whole'));
  await using recorder = await record(
    one,
    inTurn(
      (response) => {
        openStream(response).write(whole);
        setTimeout(() => {
          response.write(line('MODIFIED', item('a', 6, 'torn')).slice(0, 40), () => response.destroy());
        }, 100);
      },
      (response) => openStream(response).write(line('MODIFIED', item('a', 6, 'mended'))),
    ),
  );
  await recorder.watch.start(signal);
  await recorder.until('a=mended');
  expect(recorder.told.map((entry) => entry.replace(/:.*/, ''))).toEqual([
    'a=old',
    'a=whole',
    'interrupted',
    'resumed after a gap',
    'a=mended',
  ]);
  expect(recorder.watches()).toEqual(['1', '5']);
});

test('a bookmark moves the place from which a broken watch continues, and is no change', async () => {
  const bookmark = line('BOOKMARK', { metadata: { resourceVersion: '9' } });
  await using recorder = await record(
    one,
    inTurn(
      (response) => openStream(response).end(bookmark),
      (response) => openStream(response).write(line('ADDED', item('b', 10, 'here'))),
    ),
  );
  await recorder.watch.start(signal);
  await recorder.until('a=old b=here');
  expect(recorder.watches()).toEqual(['1', '9']);
  expect(recorder.told).toEqual(['a=old', 'interrupted: closed by the server', 'resumed after a gap', 'a=old b=here']);
});

const closed = 'interrupted: closed by the server';
const resumed = 'resumed after a gap';
test.each<[string, (response: ServerResponse) => void, readonly string[]]>([
  [
    'in the stream',
    (response) =>
      openStream(response).end(line('ERROR', { kind: 'Status', code: 410, message: 'too old resource version' })),
    // the stream was open before it said so
    [closed, resumed, 'interrupted: 410: too old resource version', 'a=new', resumed],
  ],
  [
    'as its status',
    (response) => {
      refuse(response, 410, 'too old resource version');
    },
    [closed, 'a=new', resumed],
  ],
])('after 410 Gone %s, a new list tells what was missed, a deletion too', async (_where, gone, expected) => {
  const lists = [
    { version: 1, items: [item('a', 1, 'old'), item('b', 1, 'doomed')] },
    { version: 20, items: [item('a', 15, 'new')] },
  ];
  let watches = 0;
  await using recorder = await record(lists, (_request, response) => {
    watches += 1;
    if (watches === 1) openStream(response).end();
    else if (watches === 2) gone(response);
    else openStream(response).write(line('ADDED', item('c', 21, 'later')));
  });
  await recorder.watch.start(signal);
  await recorder.until('a=new c=later');
  expect(recorder.told).toEqual(['a=old b=doomed', ...expected, 'a=new c=later']);
  expect(recorder.watches()).toEqual(['1', '1', '20']);
});

test('an outage is one interruption, however many attempts it takes to come back', async () => {
  let attempts = 0;
  await using recorder = await record(one, (_request, response) => {
    attempts += 1;
    if (attempts === 1) openStream(response).end();
    else if (attempts < 5) response.destroy();
    else openStream(response).write(line('DELETED', item('a', 3, 'last')));
  });
  await recorder.watch.start(signal);
  await recorder.until('nothing');
  expect(recorder.told).toEqual([
    'a=old',
    'interrupted: closed by the server',
    'resumed after a gap',
    'a=last',
    'nothing',
  ]);
});

test('an object that can not be read interrupts the watch instead of being passed over', async () => {
  await using recorder = await record(
    one,
    inTurn(
      (response) => openStream(response).write(line('MODIFIED', { metadata: { name: 'a', resourceVersion: '2' } })),
      (response) => openStream(response),
    ),
  );
  await recorder.watch.start(signal);
  await recorder.until('resumed after a gap');
  expect(recorder.told[1]).toMatch(/^interrupted: an object could not be read: .*value/);
});

test('a watch that is refused from the start fails to start, with the reason', async () => {
  await using recorder = await record(one, (_request, response) => {
    refuse(response, 403, 'no');
  });
  await expect(recorder.watch.start(signal)).rejects.toMatchObject({ facts: { found: 'HTTP 403: Forbidden' } });
});

test('starting is given up at once when it is aborted, though the server never sends headers', async () => {
  const abort = new AbortController();
  await using recorder = await record(one, () => {
    setTimeout(() => {
      abort.abort(new Error('enough'));
    }, 50);
  });
  await expect(recorder.watch.start(abort.signal)).rejects.toThrow('enough');
});

test('stopping tells nothing: an end that was asked for is no interruption', async () => {
  await using recorder = await record(one, (_request, response) => openStream(response));
  await recorder.watch.start(signal);
  await recorder.watch.stop();
  expect(recorder.told).toEqual(['a=old']);
});
