import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, withLibraries } from './bash.ts';

function product(content: string, stamp?: string) {
  const file = join(temporaryFolder(), 'kubelet');
  writeFileSync(file, content);
  if (stamp !== undefined) writeFileSync(join(file, '../.kubelet.from'), stamp);
  return file;
}
const isBuilt = async (file: string, from = 'kubernetes@v1') =>
  (await withLibraries(['products'], 'is_built "$1" "$2"', [file, from])).exitCode === 0;

test('a file with the stamp of what it is to be built from is used', async () => {
  expect(await isBuilt(product('program', 'kubernetes@v1\n'))).toBe(true);
});

test.each([
  ['without a stamp', product.bind(undefined, 'program')],
  ['with an empty stamp', product.bind(undefined, 'program', '')],
  ['stamped for another version', product.bind(undefined, 'program', 'kubernetes@v2\n')],
  ['that is empty', product.bind(undefined, '', 'kubernetes@v1\n')],
])('a file %s is built again', async (_, make) => {
  expect(await isBuilt(make())).toBe(false);
});

test('an absent file is built, although its stamp is there', async () => {
  const file = product('program', 'kubernetes@v1\n');
  expect(await isBuilt(join(file, '../kubeadm'))).toBe(false);
});

test('a new file replaces the old one together with its stamp', async () => {
  const file = product('old', 'kubernetes@v1\n');
  writeFileSync(`${file}.new`, 'new');
  const { exitCode } = await withLibraries(['products'], 'keep_product "$1" kubernetes@v2', [file]);
  expect(exitCode).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(existsSync(`${file}.new`)).toBe(false);
  expect(await isBuilt(file, 'kubernetes@v2')).toBe(true);
  expect(await isBuilt(file, 'kubernetes@v1')).toBe(false);
});

// the last step before the kill is the one whose command is replaced
test.each([1, 2])(
  'a run killed at move %i while it replaces a file leaves none that passes for the old or the new',
  async (move) => {
    const file = product('old', 'kubernetes@v1\n');
    writeFileSync(`${file}.new`, 'new');
    await withLibraries(
      ['products'],
      'mv() { moves=$((${moves:-0} + 1)); [ $moves -ne $stop ] || kill -KILL $$; command mv "$@"; }; keep_product "$1" kubernetes@v2',
      [file],
      { stop: `${move}` },
    );
    expect(await isBuilt(file, 'kubernetes@v2')).toBe(false);
    expect(await isBuilt(file, 'kubernetes@v1')).toBe(false);
  },
);
