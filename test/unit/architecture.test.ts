import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/** Lower layers first. A file imports from its own folder or from a lower layer. */
const layers = [
  ['domain'],
  ['scenarios', 'triggers', 'proxy-modes', 'metrics', 'charts', 'stats', 'timeline', 'process'],
  ['rendering', 'flows', 'host', 'kube', 'report', 'github'],
  ['providers'],
  ['experiment'],
  ['assembly'],
  ['action', 'cli'],
];
const rank = new Map(layers.flatMap((names, index) => names.map((name) => [name, index] as const)));

/** Each package is reached through one folder. */
const doors: Readonly<Record<string, string>> = {
  '@actions/artifact': 'github',
  '@actions/core': 'action',
  '@actions/github': 'github',
  '@kubernetes/client-node': 'kube',
  '@napi-rs/canvas': 'rendering',
  'chart.js': 'rendering',
  'chartjs-node-canvas': 'rendering',
  'cli-table3': 'report',
  'csv-stringify': 'report',
  'simple-statistics': 'stats',
  commander: 'cli',
  execa: 'process',
  'fast-xml-parser': 'timeline',
  logfmt: 'timeline',
  'parse-prometheus-text-format': 'timeline',
  ora: 'cli',
  yauzl: 'github',
};

const sourcesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => [join(folder, path)] as const);
const importsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g)].map((match) => match[1] ?? '');
const folderOf = (path: string) => path.split('/')[1] ?? '';

test.each(sourcesBelow('src'))('%s imports its own folder, lower layers, and packages through their door', (file) => {
  const folder = folderOf(file);
  const rule: string[] = [];
  for (const specifier of importsOf(file)) {
    if (!specifier.startsWith('.')) {
      const door = Object.entries(doors).find(([name]) => specifier === name || specifier.startsWith(`${name}/`))?.[1];
      if (door !== undefined && door !== folder) rule.push(`${specifier} is reached through src/${door}`);
      continue;
    }
    const target = folderOf(normalize(join(dirname(file), specifier)));
    const [from, to] = [rank.get(folder), rank.get(target)];
    if (from === undefined || to === undefined) rule.push(`${folder} -> ${target}: not a listed folder`);
    else if (target !== folder && to >= from) rule.push(`${folder} may not import ${target}`);
  }
  expect(rule).toEqual([]);
});

test.each(sourcesBelow('src'))('%s stays under 300 lines', (file) => {
  expect(readFileSync(file, 'utf8').split('\n').length).toBeLessThan(300);
});

test.each(sourcesBelow('probe'))('%s shares no code with src/', (file) => {
  expect(importsOf(file).filter((specifier) => specifier.includes('src/') || !/^(\.\/|node:)/.test(specifier))).toEqual(
    [],
  );
});
