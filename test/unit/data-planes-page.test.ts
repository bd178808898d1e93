import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { levelsOf } from '../../src/report/document/levels.ts';
import { writeSection } from '../../src/report/markdown/write.ts';
import { parseAggregate } from '../../src/report/schema.ts';

/** `UPDATE_README=yes` writes what this test expects instead of comparing. */
const update = process.env.UPDATE_README === 'yes';
const page = 'docs/data-planes.md';
const results = 'docs/results';
const block = /(<!-- block: measured levels -->\n)[\s\S]*?(<!-- end -->)/;

/** What the committed runs of several levels say, a part a run. */
function measured(): string {
  const parts = readdirSync(results)
    .toSorted()
    .flatMap((name) => {
      const path = join(results, name, 'aggregate.json');
      if (!existsSync(path)) return [];
      const aggregate = parseAggregate(readFileSync(path, 'utf8'), path);
      if (aggregate.comparisons.length === 0) return [];
      const blocks = levelsOf(aggregate, { most: 100 });
      return [
        `### [${name}](results/${name}/table.txt)\n\n${writeSection({ title: '', folded: false, rank: 0, blocks }, { headings: false })}`,
      ];
    });
  return parts.length === 0 ? 'The results hold no run of several levels yet.' : parts.join('\n\n');
}

test('the page on data planes shows every committed run of several levels as it was summed up', () => {
  const text = readFileSync(page, 'utf8');
  expect(text).toMatch(block);
  const expected = text.replace(block, (_, head: string, end: string) => `${head}${measured()}\n${end}`);
  if (update) writeFileSync(page, expected);
  else expect(text).toBe(expected);
});
