import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exitStatuses, exitStatusMeanings } from '../../src/assembly/exit-status.ts';
import { describeExpectation } from '../../src/experiment/expectation.ts';
import { scenarios } from '../../src/scenarios/index.ts';

/** `UPDATE_README=yes` writes what this test expects instead of comparing. */
const update = process.env.UPDATE_README === 'yes';

const row = (...cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
const table = (heading: readonly string[], rows: readonly string[]) =>
  [row(...heading), row(...heading.map(() => '---')), ...rows].join('\n');
const textBlock = (text: string) => `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
const blocksOf = (path: string) => readFileSync(path, 'utf8').split(/\n\n/);

const contents: Readonly<Record<string, () => string>> = {
  'docs/results/demo-local/table.txt': () => textBlock(readFileSync('docs/results/demo-local/table.txt', 'utf8')),
  'docs/results/standard-kind-v1.34.0/table.txt, the answer': () =>
    textBlock(blocksOf('docs/results/standard-kind-v1.34.0/table.txt').slice(0, 2).join('\n\n')),
  scenarios: () =>
    table(
      ['scenario', 'what happens', 'expected: TCP', 'exit code', 'published arm'],
      [...scenarios].map(({ name, summary, expects, referenceArm }) =>
        row(`\`${name}\``, summary, describeExpectation(expects.tcp), expects.exitCode, referenceArm ?? '–'),
      ),
    ),
  'exit statuses': () =>
    table(
      ['status', 'meaning'],
      [
        ...Object.entries(exitStatuses).map(([name, status]) =>
          row(status, exitStatusMeanings[name as keyof typeof exitStatuses]),
        ),
        row('130, 143', 'interrupted by SIGINT or SIGTERM, after removing what was made; `run --resume` goes on'),
      ],
    ),
};

const block = /(<!-- block: (.+?) -->\n)[\s\S]*?(<!-- end -->)/g;

test('every generated block of the README is what its source says', () => {
  const readme = readFileSync('README.md', 'utf8');
  const names = [...readme.matchAll(block)].map(([, , name]) => name);
  expect(names.toSorted()).toEqual(Object.keys(contents).toSorted());
  const expected = readme.replaceAll(
    block,
    (_, head: string, name: string, end: string) => `${head}${contents[name]?.() ?? ''}\n${end}`,
  );
  if (update) writeFileSync('README.md', expected);
  else expect(readme).toBe(expected);
});
