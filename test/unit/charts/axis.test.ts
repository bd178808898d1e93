import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { axisFor, linearAxis, positionOn, thinned } from '../../../src/charts/axis.ts';

const values = fc.array(fc.double({ min: -60_000, max: 60_000, noNaN: true }), { minLength: 1, maxLength: 20 });

describe('an axis', () => {
  test('shows every value it was made for, in their order', () => {
    fc.assert(
      fc.property(values, (sample) => {
        const axis = axisFor(sample);
        const places = sample.toSorted((a, b) => a - b).map((value) => positionOn(axis, value));
        expect(places.every((place) => place >= 0 && place <= 1)).toBe(true);
        expect(places.toSorted((a, b) => a - b)).toEqual(places);
      }),
    );
  });

  test('has marks inside itself, at least two, each with its own label', () => {
    fc.assert(
      fc.property(values, (sample) => {
        const { min, max, marks } = axisFor(sample);
        const labels = marks.map(({ label }) => label);
        expect(marks.every(({ value }) => value >= min && value <= max)).toBe(true);
        expect(new Set(labels).size).toBe(labels.length);
        expect(labels.length).toBeGreaterThanOrEqual(2);
      }),
    );
  });

  test('is linear from zero where the values are of one size', () => {
    expect(axisFor([195, 221, 521])).toMatchObject({ kind: { type: 'linear' }, min: 0, max: 600 });
  });

  test('is logarithmic where positive values span decades', () => {
    expect(axisFor([30, 25_000])).toMatchObject({ kind: { type: 'logarithmic' }, min: 20, max: 50_000 });
  });

  test('is logarithmic on both sides of zero where signed values span decades', () => {
    const axis = axisFor([-22_861, -3, 221]);
    expect(axis.kind).toEqual({ type: 'symlog', linear: 10 });
    expect(axis.marks.map(({ label }) => label.replace('\u00a0', ' '))).toEqual([
      '−10 s',
      '−1 s',
      '−100 ms',
      '−10 ms',
      '0',
      '10 ms',
      '100 ms',
    ]);
    expect(positionOn(axis, -22_861)).toBeLessThan(positionOn(axis, -3));
  });

  test('is linear for signed values of one size', () => {
    expect(axisFor([-16, -73, -3])).toMatchObject({ kind: { type: 'linear' }, min: -80, max: 0 });
  });

  test('has a width for equal values, zeros too', () => {
    expect(axisFor([0, 0])).toMatchObject({ min: 0, max: 1 });
    expect(axisFor([7]).max).toBeGreaterThan(7);
  });
});

test('marks of one axis are in one unit, with as many decimals as their step needs', () => {
  const labels = ({ marks }: ReturnType<typeof linearAxis>) => marks.map(({ label }) => label.replace('\u00a0', ' '));
  expect(labels(linearAxis(0, 100))).toEqual(['0', '20 ms', '40 ms', '60 ms', '80 ms', '100 ms']);
  expect(labels(linearAxis(25_030, 25_050))).toEqual(['25.030 s', '25.035 s', '25.040 s', '25.045 s', '25.050 s']);
});

test('where labels would meet, zero and the greatest keep theirs; every grid line stays', () => {
  const axis = axisFor([-20_000, -3, 20_000]);
  const narrow = thinned(axis, 380, () => 50);
  const kept = narrow.marks.flatMap(({ label }) => (label === '' ? [] : [label.replace('\u00a0', ' ')]));
  expect(kept).toEqual(['−10 s', '−1 s', '0', '1 s', '10 s']);
  expect(narrow.marks.map(({ value }) => value)).toEqual(axis.marks.map(({ value }) => value));
});
