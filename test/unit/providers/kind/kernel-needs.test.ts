import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { KernelNeeds } from '../../../../src/domain/cluster.ts';
import { createRunner } from '../../../../src/process/runner.ts';
import { kernelLack, prepareKernel } from '../../../../src/providers/kind/kernel-needs.ts';

const path = process.env.PATH ?? '';
const runner = createRunner({ log: () => undefined });
const { signal } = new AbortController();
let root: string;

const paths = (release = '6.8.0-31-generic') => ({ root, release });
const write = (file: string, content: string | Buffer) => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), content);
};
/** A real program of that name, found before any other. */
const program = (name: string, script: string) => {
  write(`bin/${name}`, `#!/bin/sh\n${script}\n`);
  chmodSync(join(root, 'bin', name), 0o755);
};
const modeOf = (kernel: Partial<KernelNeeds>) => ({ name: 'some', kernel: { modules: [], options: [], ...kernel } });
const ipvs = modeOf({ modules: ['ip_vs', 'ip_vs_rr'] });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kernel-'));
  process.env.PATH = `${join(root, 'bin')}${delimiter}${path}`;
  program('modprobe', 'exit 1');
  program('sudo', 'exit 1');
});
afterEach(() => {
  process.env.PATH = path;
  rmSync(root, { recursive: true });
});

test('a module that is neither there nor to be loaded is named, with how to load it', async () => {
  write('proc/modules', 'ip_vs_rr 16384 0 - Live 0x0\n');
  expect(await kernelLack(ipvs, runner, signal, paths())).toEqual({
    expected: 'the kernel has what proxy mode some needs: ip_vs, ip_vs_rr',
    found: 'kernel 6.8.0-31-generic has no ip_vs',
    remedy: 'load them with `sudo modprobe --all ip_vs`, or run it on a kernel that has them, or leave the mode out',
  });
});

test('loaded, built in, or told of by a kernel without loadable modules: each is enough', async () => {
  write('proc/modules', 'ip_vs 221184 2 ip_vs_rr, Live 0x0\n');
  write('lib/modules/6.8.0-31-generic/modules.builtin', 'kernel/net/netfilter/ipvs/ip_vs_rr.ko\n');
  write('sys/module/nf_conntrack/uevent', '');
  const mode = modeOf({ modules: ['ip_vs', 'ip_vs_rr', 'nf_conntrack'] });
  expect(await kernelLack(mode, runner, signal, paths())).toBeUndefined();
});

test('modules that modprobe finds are no lack, and asking for it loads nothing', async () => {
  program('modprobe', `[ "$1" = --dry-run ] || echo "$@" >> ${root}/loaded`);
  expect(await kernelLack(ipvs, runner, signal, paths())).toBeUndefined();
  expect(await kernelLack(ipvs, runner, signal, paths())).toBeUndefined();
  await prepareKernel(ipvs, runner, signal, paths());
  write('proc/modules', 'ip_vs 1 0 - Live 0x0\nip_vs_rr 1 0 - Live 0x0\n');
  expect(await prepareKernel(ipvs, runner, signal, paths())).toBeUndefined();
});

test('a user without the right to load modules loads them by a sudo that asks for no password', async () => {
  program('modprobe', '[ "$1" = --dry-run ]');
  program(
    'sudo',
    `[ "$1 $2 $3" = "--non-interactive modprobe --all" ] && printf 'ip_vs 1\\nip_vs_rr 1\\n' > ${root}/modules`,
  );
  write('proc/modules', '');
  expect(await prepareKernel(ipvs, runner, signal, paths())).toMatchObject({
    found: expect.stringMatching(/ip_vs, ip_vs_rr$/) as string,
  });
  program(
    'sudo',
    `[ "$1 $2 $3" = "--non-interactive modprobe --all" ] && printf 'ip_vs 1\\nip_vs_rr 1\\n' > ${root}/proc/modules`,
  );
  expect(await prepareKernel(ipvs, runner, signal, paths())).toBeUndefined();
});

test.each([
  ['5.4.0-150-generic', '5.13', true],
  ['5.13.0', '5.13', false],
  ['6.1.0-rc1', '5.13', false],
  ['5.9', '5.10', true],
  ['4.18.0-553.el8', '5.10', true],
])('kernel %s where %s is needed is too old: %s', async (found, least, isLack) => {
  const lack = await kernelLack(modeOf({ release: least }), runner, signal, paths(found));
  expect(lack !== undefined).toBe(isLack);
});

test('an option that the kernel was built without is named; one that it does not tell of is no lack', async () => {
  const mode = modeOf({ options: ['CONFIG_BPF', 'CONFIG_VXLAN', 'CONFIG_NET_CLS_BPF'] });
  expect(await kernelLack(mode, runner, signal, paths())).toBeUndefined();
  write('boot/config-6.8.0-31-generic', 'CONFIG_BPF=y\nCONFIG_VXLAN=m\nCONFIG_NET_CLS_BPF=m\n');
  expect(await kernelLack(mode, runner, signal, paths())).toBeUndefined();
  write('proc/config.gz', gzipSync('CONFIG_BPF=y\nCONFIG_VXLAN=m\n# CONFIG_NET_CLS_BPF is not set\n'));
  expect(await kernelLack(mode, runner, signal, paths())).toMatchObject({
    found: 'kernel 6.8.0-31-generic was built without CONFIG_NET_CLS_BPF',
  });
});
