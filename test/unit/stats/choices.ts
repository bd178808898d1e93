/** Every way to choose `size` of the values. */
export function* choices(
  values: readonly number[],
  size: number,
): Generator<readonly [readonly number[], readonly number[]]> {
  const [first, ...rest] = values;
  if (size === 0 || first === undefined) {
    if (size === 0) yield [[], values];
    return;
  }
  for (const [chosen, left] of choices(rest, size - 1)) yield [[first, ...chosen], left];
  for (const [chosen, left] of choices(rest, size)) yield [chosen, [first, ...left]];
}
