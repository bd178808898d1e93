import { describe, expect, test } from 'vitest';
import { charts } from '../../../src/charts/index.ts';
import { themes } from '../../../src/domain/chart.ts';
import type { ChartSpec } from '../../../src/domain/chart-spec.ts';
import { metrics } from '../../../src/metrics/index.ts';
import { aggregateOf, armOf, publishedArms } from '../report/example-reports.ts';
import { leveledAggregate, modeArms, versionArms } from '../report/level-examples.ts';
import { exampleAggregate, exampleInput } from './example-input.ts';
import { boxOf, numbersIn, overlaps, placesOf, textsOf } from './spec-geometry.ts';

const variants = themes.flatMap((theme) => [...charts].map((chart) => [chart.name, theme, chart] as const));

function specOf(chart: (typeof variants)[number][2], theme: (typeof variants)[number][1]): ChartSpec {
  const arm = exampleAggregate.arms.slice(1, 2);
  const changes = chart.scope === 'arm' ? { aggregate: { ...exampleAggregate, arms: arm } } : {};
  const spec =
    chart.draw(exampleInput(theme, changes)) ??
    // charts of a factor draw nothing of a run with one level of it
    chart.draw(exampleInput(theme, { aggregate: leveledAggregate([...modeArms, ...versionArms]) }));
  if (spec === undefined) throw new Error(`${chart.name} drew nothing`);
  return spec;
}

describe.each(variants)('the chart %s, %s', (_name, theme, chart) => {
  const spec = specOf(chart, theme);
  const { scales, drawings } = spec.config.options;

  test('has a name in kebab-case and a title', () => {
    expect(chart.name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(chart.title).toMatch(/^[A-Z].{5,}$/);
  });

  test('draws nothing of a run without a complete arm', () => {
    const [first] = publishedArms;
    const discarded = { ...first, status: 'discarded', reason: 'a trial failed', completeTrials: 4 } as const;
    expect(chart.draw(exampleInput(theme, { aggregate: aggregateOf({ arms: [discarded] }) }))).toBeUndefined();
    expect(chart.draw(exampleInput(theme, { aggregate: aggregateOf({ arms: [] }), reports: [] }))).toBeUndefined();
  });

  test('draws nothing where nothing was observed', () => {
    const aggregate = aggregateOf({ arms: [armOf('drain', { tcp: [], udp: [] })] });
    expect(chart.draw(exampleInput(theme, { aggregate, reports: [] }))).toBeUndefined();
  });

  test('gives the same spec for the same input, as plain data', () => {
    expect(specOf(chart, theme)).toEqual(spec);
    expect(JSON.parse(JSON.stringify(spec))).toEqual(spec);
  });

  test('has a point or a bar, and only finite numbers', () => {
    expect(spec.config.data.datasets.flatMap(({ points }) => points).length).toBeGreaterThan(0);
    expect(numbersIn(spec).filter((number) => !Number.isFinite(number))).toEqual([]);
  });

  test('says every number of the picture in its alternative text', () => {
    const marks = new Set(Object.values(scales).flatMap((scale) => scale.marks.map(({ label }) => label)));
    const numbers = textsOf(spec)
      .filter(({ text }) => !marks.has(text))
      .flatMap(({ text }) => text.match(/\d+(?:\.\d+)?/g) ?? []);
    expect(numbers.length).toBeGreaterThan(0);
    expect(numbers.filter((number) => !spec.altText.includes(number))).toEqual([]);
  });

  test('has no text smaller than 12 pixels, and none that leaves the picture or meets another', () => {
    const boxes = textsOf(spec).map(boxOf);
    const outside = boxes.filter(
      ({ left, right, top, bottom }) => left < 0 || top < 0 || right > spec.width || bottom > spec.height,
    );
    expect(outside).toEqual([]);
    expect(overlaps(boxes)).toEqual([]);
    expect(textsOf(spec).filter(({ size }) => size < 12)).toEqual([]);
    expect(spec.config.options.font.size).toBeGreaterThanOrEqual(12);
  });

  test('places everything on a scale that it has, and inside it', () => {
    const outside = (scale: string, value: number) => {
      const { min = -Infinity, max = Infinity } = scales[scale] ?? { min: NaN };
      return !(value >= min && value <= max);
    };
    const points = spec.config.data.datasets.flatMap(({ xScale, yScale, points: all }) =>
      all.filter(({ x, y }) => outside(xScale, x) || outside(yScale, y)),
    );
    const places = drawings.flatMap(placesOf).filter((place) => 'scale' in place && outside(place.scale, place.value));
    expect([...points, ...places]).toEqual([]);
  });
});

test.each([...charts])('$name differs between themes in nothing but colours', (chart) => {
  const [light, dark] = themes.map((theme) =>
    JSON.stringify(specOf(chart, theme)).replaceAll(/#[0-9a-f]{6}|rgba\([^)]*\)/g, 'a colour'),
  );
  expect(dark).toBe(light);
});

test('every metric is a row of a chart', () => {
  const drawn = new Set(
    [...charts].flatMap((chart) => {
      const values = Object.fromEntries(metrics.names().map((name, index) => [name, [100 + index, 200] as const]));
      const arms = [armOf('drain', { tcp: [], udp: [], repeats: 2, values })];
      const spec = chart.draw(exampleInput('light', { aggregate: aggregateOf({ arms }), reports: [] }));
      return spec === undefined ? [] : textsOf(spec).map(({ text }) => text);
    }),
  );
  // a chart of one metric has the arms for rows
  expect([...metrics].map(({ label }) => label).filter((label) => !drawn.has(label))).toEqual([]);
});
