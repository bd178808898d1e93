import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nativeLibrary } from '../../../src/rendering/native-library.ts';
import { platformName } from '../../../src/rendering/native-manifest.ts';

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const library = Buffer.from('the library of this machine');

let work: string;
let shipped: string;
let temporary: string;

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'drainwatch-native-test-'));
  [shipped, temporary] = [join(work, 'native'), join(work, 'tmp')];
  for (const folder of [shipped, temporary]) mkdirSync(folder);
  const compressed = brotliCompressSync(library);
  writeFileSync(join(shipped, 'library.br'), compressed);
  writeManifest(platformName());
  function writeManifest(platform: string) {
    const entry = {
      file: 'library.br',
      package: 'a-library',
      version: '1.0.0',
      integrity: 'sha512-x',
      compressedSha256: sha256(compressed),
      bytes: library.length,
      sha256: sha256(library),
    };
    writeFileSync(join(shipped, 'manifest.json'), JSON.stringify({ libraries: { [platform]: entry } }));
  }
});
afterEach(() => {
  rmSync(work, { recursive: true });
});

/** The folder that the library is unpacked to, and is looked for in. */
const home = () => join(temporary, `drainwatch-canvas-${sha256(library).slice(0, 16)}`);

describe('the native library', () => {
  test('is unpacked whole, for its user alone', async () => {
    const path = await nativeLibrary(shipped, temporary);
    expect(readFileSync(path)).toEqual(library);
    expect(statSync(path).mode & 0o077).toBe(0);
    expect(statSync(dirname(path)).mode & 0o077).toBe(0);
    expect(readdirSync(dirname(path))).toEqual(['canvas.node']);
  });

  test('is unpacked once', async () => {
    const first = await nativeLibrary(shipped, temporary);
    const { ino } = statSync(first);
    expect(await nativeLibrary(shipped, temporary)).toBe(first);
    expect(statSync(first).ino).toBe(ino);
  });

  test('is the same for processes that unpack it at once', async () => {
    const paths = await Promise.all([1, 2, 3, 4].map(() => nativeLibrary(shipped, temporary)));
    expect(new Set(paths).size).toBe(1);
    expect(readdirSync(home())).toEqual(['canvas.node']);
  });

  test.each([
    ['was changed', Buffer.from('another library, as long!!!')],
    ['is cut short', library.subarray(0, 5)],
  ])('is unpacked anew where the file %s', async (_, content) => {
    writeFileSync(await nativeLibrary(shipped, temporary), content);
    expect(readFileSync(await nativeLibrary(shipped, temporary))).toEqual(library);
  });

  test.each([
    [
      'others can write to',
      () => {
        mkdirSync(home());
        chmodSync(home(), 0o777);
      },
    ],
    [
      'is a link to elsewhere',
      () => {
        mkdirSync(join(work, 'elsewhere'), { mode: 0o700 });
        symlinkSync(join(work, 'elsewhere'), home());
      },
    ],
    [
      'is a file',
      () => {
        writeFileSync(home(), '');
      },
    ],
  ])('is never unpacked to a folder that %s, nor taken from it', async (_, prepare) => {
    prepare();
    const path = await nativeLibrary(shipped, temporary);
    expect(dirname(path)).not.toBe(home());
    expect(dirname(dirname(path))).toBe(temporary);
    expect(statSync(dirname(path)).mode & 0o077).toBe(0);
    expect(readFileSync(path)).toEqual(library);
  });

  test.runIf(process.getuid?.() === 0)('is never unpacked to a folder of another user', async () => {
    mkdirSync(home(), { mode: 0o700 });
    chownSync(home(), 12_345, 12_345);
    expect(dirname(await nativeLibrary(shipped, temporary))).not.toBe(home());
  });

  test.each([
    [
      'is damaged',
      () => {
        writeFileSync(join(shipped, 'library.br'), 'no brotli');
      },
    ],
    [
      'was replaced',
      () => {
        writeFileSync(join(shipped, 'library.br'), brotliCompressSync(Buffer.from('evil')));
      },
    ],
    [
      'is missing',
      () => {
        rmSync(join(shipped, 'library.br'));
      },
    ],
    [
      'has no manifest',
      () => {
        rmSync(join(shipped, 'manifest.json'));
      },
    ],
    [
      'has a manifest that names a file outside',
      () => {
        const text = readFileSync(join(shipped, 'manifest.json'), 'utf8');
        writeFileSync(join(shipped, 'manifest.json'), text.replace('library.br', '../library.br'));
      },
    ],
  ])('is refused, with what to do, where what is shipped %s', async (_, damage) => {
    damage();
    await expect(nativeLibrary(shipped, temporary)).rejects.toMatchObject({
      kind: 'requirement',
      facts: { remedy: 'restore the folder from the release' },
    });
    expect(readdirSync(temporary, { recursive: true }).filter((name) => name.toString().includes('.'))).toEqual([]);
  });

  test('is none for a machine that nothing is shipped for, and the error names those that have one', async () => {
    const text = readFileSync(join(shipped, 'manifest.json'), 'utf8');
    writeFileSync(join(shipped, 'manifest.json'), text.replace(platformName(), 'plan9-mips'));
    await expect(nativeLibrary(shipped, temporary)).rejects.toMatchObject({
      kind: 'requirement',
      facts: { expected: 'charts are drawn on plan9-mips', found: `this machine is ${platformName()}` },
    });
  });
});
