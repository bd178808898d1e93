/** How close the centres of two points may come, in CSS pixels. */
const distance = 5;

/** Offsets from the row's middle that are tried one after the other. */
const offsets = [0, -5, 5, -10, 10] as const;

/**
 * Offsets across the row that keep points apart whose places along it, in CSS pixels, are close: a point moves only
 * where it would cover another. The same places give the same offsets; where no offset is free they are dealt in turn.
 */
export function swarm(places: readonly number[]): readonly number[] {
  const settled: { place: number; offset: number }[] = [];
  const result = places.map(() => 0);
  const order = places
    .map((place, index) => ({ place, index }))
    .toSorted((a, b) => a.place - b.place || a.index - b.index);
  for (const [turn, { place, index }] of order.entries()) {
    const free = offsets.find((offset) =>
      settled.every((other) => Math.hypot(other.place - place, other.offset - offset) >= distance),
    );
    const offset = free ?? offsets[turn % offsets.length] ?? 0;
    settled.push({ place, offset });
    result[index] = offset;
  }
  return result;
}
