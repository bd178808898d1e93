import { expect, test } from 'vitest';
import { sharedObjects } from '../../../../src/providers/kind/shared-objects.ts';

test('libraries and the ELF interpreter are files of the image, the vdso is none', () => {
  const glibc = `	linux-vdso.so.1 (0x00007fbcfc3a6000)
	libdl.so.2 => /lib/x86_64-linux-gnu/libdl.so.2 (0x00007fbcfc390000)
	libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007fbcfbe1e000)
	/lib64/ld-linux-x86-64.so.2 (0x00007fbcfc3a8000)`;
  expect(sharedObjects(glibc)).toEqual([
    '/lib/x86_64-linux-gnu/libdl.so.2',
    '/lib/x86_64-linux-gnu/libc.so.6',
    '/lib64/ld-linux-x86-64.so.2',
  ]);
});

test('musl, whose loader is its libc, gives one file for both', () => {
  const musl = `	/lib/ld-musl-aarch64.so.1 (0xffff8a5c0000)
	libstdc++.so.6 => /usr/lib/libstdc++.so.6 (0xffff8a200000)
	libc.musl-aarch64.so.1 => /lib/ld-musl-aarch64.so.1 (0xffff8a5c0000)`;
  expect(sharedObjects(musl)).toEqual(['/lib/ld-musl-aarch64.so.1', '/usr/lib/libstdc++.so.6']);
});

test('a static binary needs no other file', () => {
  expect(sharedObjects('	not a dynamic executable')).toEqual([]);
});

test('a library that is not found is named before anything is built', () => {
  expect(() => sharedObjects('	libnode.so.115 => not found')).toThrow(/libnode\.so\.115 is not/);
});
