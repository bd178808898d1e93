import { expect, test } from 'vitest';
import { netlinkDrops } from '../../../../../src/providers/kind/evidence/netlink.ts';

/** As the kernel writes it (af_netlink.c, netlink_native_seq_show). */
const table = [
  'sk               Eth Pid        Groups   Rmem     Wmem     Dump  Locks    Drops    Inode',
  '00000000f463c6d7 12  2613       00000040 0        0        0     2        0        4781045 ',
  '000000008999387b 12  4290552575 00000005 0        0        0     2        7        4782090 ',
  '00000000fdc0622b 12  2672809060 00000005 0        0        0     2        2        4781044 ',
  '',
].join('\n');

test('the messages that a process lost are those of its own sockets, by their inodes', () => {
  expect(netlinkDrops(table, '/dev/null\nsocket:[4781045]\n')).toBe(0);
  expect(netlinkDrops(table, 'socket:[4781045]\npipe:[4782090]\nsocket:[4781044]\n')).toBe(2);
  expect(netlinkDrops(table, 'socket:[4782090]\nsocket:[4781044]')).toBe(9);
});

test('a process without a socket in the table lost nothing', () => {
  expect(netlinkDrops(table, 'socket:[1]')).toBe(0);
  expect(netlinkDrops('', '')).toBe(0);
});
