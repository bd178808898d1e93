import { describe, expect, test } from 'vitest';
import { medianBars } from '../../../src/charts/mermaid.ts';
import { metrics } from '../../../src/metrics/index.ts';
import { aggregateOf, armOf, publishedArms } from '../report/example-reports.ts';

const metric = metrics.get('dead-endpoint-window');

const armNamed = (label: string) => ({ ...publishedArms[0], label });

describe('bars of medians', () => {
  test('are a Mermaid chart', () => {
    expect(medianBars(aggregateOf(), metric)).toBe(
      [
        'xychart-beta horizontal',
        '    title "dead-endpoint window: median of 5"',
        '    x-axis ["exits at once · delete", "drains · delete", "ignores SIGTERM · delete", "drains · evict", "drains · scale to 0"]',
        '    y-axis "ms" 0 --> 300',
        '    bar [221, 253, 206, 206, 211]',
      ].join('\n'),
    );
  });

  test.each([
    ['a quote', 'a"]\n bar [1'],
    ['Markdown', '`**bold**`'],
    ['a directive', '%%{init: {"theme": "dark"}}%%'],
    ['three per cent signs', '%%%'],
    ['HTML', '<img src=x onerror=alert(1)>'],
    ['an entity', '&#quot;&#35;'],
    ['the end of the code block', '```'],
  ])('take a label with %s for nothing but a label', (_, label) => {
    const text = medianBars(aggregateOf({ arms: [armNamed(label), publishedArms[1]] }), metric) ?? '';
    const [, , axis = '', ...rest] = text.split('\n');
    expect(rest.length).toBe(2);
    expect(axis).toMatch(/^ {4}x-axis \["[^"`<>&#;\\]*", "drains · delete"\]$/);
    expect(text).not.toContain('%%');
  });

  test('are none for negative medians, for Mermaid would draw them from the end of its axis', () => {
    const negative = armOf('drain', { tcp: [], udp: [], repeats: 2, values: { [metric.name]: [-8, -3] } });
    expect(medianBars(aggregateOf({ arms: [negative] }), metric)).toBeUndefined();
  });

  test('are none where no arm has the metric', () => {
    expect(medianBars(aggregateOf({ arms: [] }), metric)).toBeUndefined();
  });
});
