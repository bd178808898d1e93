import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { valueOf } from '../../../src/domain/measured.ts';
import {
  parseSnmp,
  parseSnmp6,
  parseSocketDrops,
  readSocketDrops,
  readUdpBufferErrors,
} from '../../../src/flows/kernel-udp.ts';

test('counters are found by their names, whatever stands between', () => {
  const text =
    'Tcp: RtoMin RetransSegs\nTcp: 200 5\n' +
    'Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors\nUdp: 90 1 7 80 6 2\n' +
    'UdpLite: InDatagrams RcvbufErrors SndbufErrors\nUdpLite: 0 11 12\n';
  expect(parseSnmp(text)).toEqual({ receive: 6, send: 2 });
  expect(parseSnmp6('Udp6InErrors    \t9\nUdp6RcvbufErrors   \t3\nUdpLite6RcvbufErrors \t8\n')).toEqual({
    receive: 3,
    send: 0,
  });
});

test('of the sockets those count that are connected to the port and dropped something, with both kinds of address', () => {
  const row = (local: string, remote: string, drops: number) =>
    `  12: ${local} ${remote} 01 00000000:00000000 00:00000000 00000000     0        0 4711 2 0000000000000000 ${drops}`;
  const text = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops',
    row('0100007F:A001', '0100007F:1B58', 40),
    row('0100007F:A002', '0100007F:1B58', 0),
    row('0100007F:A003', '0100007F:1B59', 7),
    row('00000000000000000000000001000000:A004', '00000000000000000000000001000000:1B58', 2),
  ].join('\n');
  expect(parseSocketDrops(text, 7000)).toEqual([
    [0xa001, 40],
    [0xa004, 2],
  ]);
});

test('what a socket did not read in time is counted by the kernel, at that socket and in all', async () => {
  const [sender, reader] = [createSocket('udp4'), createSocket('udp4')];
  sender.bind(0, '127.0.0.1');
  await once(sender, 'listening');
  const remotePort = sender.address().port;
  reader.connect(remotePort, '127.0.0.1');
  await once(reader, 'connect');
  const localPort = reader.address().port;
  const before = valueOf(readUdpBufferErrors());
  // nothing is read while this runs, and no buffer is as large
  sender.connect(localPort, '127.0.0.1');
  await once(sender, 'connect');
  for (let count = 0; count < 5_000; count += 1) sender.send(Buffer.alloc(1_000));
  const drops = valueOf(readSocketDrops(remotePort))?.get(localPort) ?? 0;
  const after = valueOf(readUdpBufferErrors());
  reader.close();
  sender.close();
  expect(drops).toBeGreaterThan(0);
  expect((after?.receive ?? 0) - (before?.receive ?? 0)).toBeGreaterThanOrEqual(drops);
});
