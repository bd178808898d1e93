import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

const metafiles = z.array(z.object({ inputs: z.record(z.string(), z.unknown()) }));
const packageForm = z.object({ name: z.string(), version: z.string() });

const notices = readFileSync('build/bundle/THIRD_PARTY_LICENSES.txt', 'utf8');
const entries = notices.split(`\n\n${'-'.repeat(80)}\n\n`).slice(1);
const entryOf = (name: string) => entries.find((entry) => entry.startsWith(`${name} `));

test('every package that went into a bundle has its entry, with its version', () => {
  const inputs = metafiles.parse(JSON.parse(readFileSync('build/metafiles.json', 'utf8'))).flatMap((file) => Object.keys(file.inputs));
  const folders = inputs.flatMap((path) => {
    const parts = path.split('/');
    const at = parts.lastIndexOf('node_modules');
    if (at === -1) return [];
    return [parts.slice(0, at + (parts[at + 1]?.startsWith('@') === true ? 3 : 2)).join('/')];
  });
  // the shim of that name is this repository's own
  const bundled = [...new Set(folders)].filter((folder) => folder !== 'node_modules/canvas');
  expect(bundled.length).toBeGreaterThan(20);
  const titles = new Set(entries.map((entry) => entry.split('\n')[0]));
  const missing = bundled
    .map((folder) => packageForm.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))))
    .filter(({ name, version }) => !titles.has(`${name} ${version}`));
  expect(missing).toEqual([]);
});

test('the native canvas and the fonts, which lie beside the bundles, have theirs', () => {
  expect(entryOf('@napi-rs/canvas')).toMatch(/MIT License/);
  expect(entryOf('dejavu-fonts-ttf')).toMatch(/Bitstream Vera/);
});

test('an entry has the licence’s text, or at least its name and whose it is', () => {
  expect(entries.filter((entry) => entry.length < 300 && !/\nLicence: .+\nBy: .+/.test(entry))).toEqual([]);
});
