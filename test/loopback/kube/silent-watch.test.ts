import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openStream } from './api-server.ts';
import { item, line, record } from './watch-recorder.ts';

const signal = new AbortController().signal;
const one = [{ version: 1, items: [item('a', 1, 'old')] }];

test.concurrent(
  'a watch that is silent for 40 s is not taken for dead, and then delivers on the same connection',
  { timeout: 60_000 },
  async () => {
    let stream: ServerResponse | undefined;
    await using recorder = await record(one, (_request, response) => {
      stream = openStream(response);
    });
    await recorder.watch.start(signal);
    await delay(40_000);
    expect(recorder.told).toEqual(['a=old']);
    stream?.write(line('MODIFIED', item('a', 2, 'new')));
    await recorder.until('a=new');
    expect(recorder.told).toEqual(['a=old', 'a=new']);
    expect(recorder.server.asked).toHaveLength(1);
  },
);

/** The keep-alive timer of the connection to `port`: seconds left (proc(5), /proc/net/tcp, tr and tm->when). */
function keepAliveSeconds(port: number): number | undefined {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  for (const row of readFileSync('/proc/net/tcp', 'utf8').split('\n')) {
    const [, , remote, state, , timer = ''] = row.trim().split(/\s+/);
    if (remote?.endsWith(`:${wanted}`) !== true || state !== '01') continue;
    const [kind, when = ''] = timer.split(':');
    // the kernel reports in hundredths of a second, whatever its own tick (USER_HZ)
    if (kind === '02') return Number.parseInt(when, 16) / 100;
  }
  return undefined;
}

test
  .skipIf(process.platform !== 'linux')
  .concurrent(
    "the peer of a silent watch is asked for a sign of life within 10 s, not within client-node's 30 s",
    async () => {
      await using recorder = await record(one, (_request, response) => openStream(response));
      await recorder.watch.start(signal);
      const seconds = keepAliveSeconds(recorder.server.port);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(10);
    },
  );
