import { expect, test } from 'vitest';
import type { Aggregate } from '../../../../src/domain/aggregate.ts';
import { renderComment } from '../../../../src/report/markdown/comment.ts';
import { renderSummary } from '../../../../src/report/markdown/summary.ts';
import { publishedReference } from '../../../../src/report/published.ts';
import { aggregateOf, publishedArms } from '../example-reports.ts';
import { aggregateWithTexts } from '../hostile-aggregate.ts';

const context = { at: '2026-11-29T18:20:31.000Z', runUrl: 'https://github.example/octo/cat/actions/runs/1' };
const inputOf = (aggregate: Aggregate) => ({ aggregate, published: publishedReference(), context });

test('a summary begins as the comment does, and tells more', () => {
  const [summary, comment] = [renderSummary(inputOf(aggregateOf())), renderComment(inputOf(aggregateOf()))];
  expect(summary.split('\n').slice(0, 5)).toEqual(comment.split('\n').slice(0, 5));
  expect(summary).toContain('#### Outcomes');
  expect(summary).toContain('<summary>Every metric’s trials on an axis</summary>');
  expect(summary).toMatch(/\| trial \|.*dead-endpoint window \|/);
});

test('without images at an address it has a diagram that GitHub draws', () => {
  const images = [{ name: 'ends', alt: 'Ends', lightUrl: 'https://i.example/a.png' }];
  expect(renderSummary(inputOf(aggregateOf()))).toContain('```mermaid\nxychart-beta');
  expect(renderSummary({ ...inputOf(aggregateOf()), images })).not.toContain('```mermaid');
});

test('its limit is counted in bytes, and what is left out is named', { timeout: 60_000 }, () => {
  const huge = aggregateOf({
    arms: publishedArms.map((arm) => ({
      ...arm,
      trials: Array.from({ length: 1000 }, (_, index) => ({ ...arm.trials[1], id: `${arm.arm.id}-${index}` })),
    })) as unknown as Aggregate['arms'],
  });
  const text = renderSummary(inputOf(huge));
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024 * 1024);
  expect(text).toContain(
    'Left out, because GitHub takes 1,048,576 bytes: Every trial. They are in the [full report](https://github.example/octo/cat/actions/runs/1).',
  );
});

test('texts of three bytes a character do not carry it over the limit', () => {
  const aggregate = aggregateWithTexts(() => '語'.repeat(5000));
  expect(Buffer.byteLength(renderSummary(inputOf(aggregate), { bytes: 100_000 }))).toBeLessThanOrEqual(100_000);
});
