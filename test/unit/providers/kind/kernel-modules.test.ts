import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { requireModules } from '../../../../src/providers/kind/kernel-modules.ts';

let root: string;
const paths = () => ({ root, release: '6.8.0' });
const write = (path: string, text: string) => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
};
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kernel-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

test('a module that is neither loaded nor built in is named, with how to load it', () => {
  write('proc/modules', 'ip_vs_rr 16384 0 - Live 0x0\n');
  expect(() => {
    requireModules('ipvs', ['ip_vs', 'ip_vs_rr'], paths());
  }).toThrow(/^kernel 6\.8\.0 has no ip_vs;.*modprobe --all ip_vs`/);
});

test('loaded, built in, or told of by a kernel without loadable modules: each is enough', () => {
  write('proc/modules', 'ip_vs 221184 2 ip_vs_rr, Live 0x0\n');
  write('lib/modules/6.8.0/modules.builtin', 'kernel/net/netfilter/ipvs/ip_vs_rr.ko\n');
  write('sys/module/nf_conntrack/uevent', '');
  expect(() => {
    requireModules('ipvs', ['ip_vs', 'ip_vs_rr', 'nf_conntrack'], paths());
  }).not.toThrow();
});

test('a mode without modules needs none, even where the kernel tells of none', () => {
  expect(() => {
    requireModules('iptables', [], paths());
  }).not.toThrow();
});
