import type { Section } from '../document/model.ts';

export interface Limit {
  /** In words, as `65,536 characters`. */
  readonly name: string;
  fits(text: string): boolean;
}

/**
 * Writes as many sections as the limit allows: what does not fit is left out whole, from the greatest rank on, and
 * `write` is told what. Sections of rank 0 stay.
 *
 * @throws {RangeError} when not even those fit
 */
export function fitSections(
  sections: readonly Section[],
  limit: Limit,
  write: (kept: readonly Section[], left: readonly Section[]) => string,
): string {
  let left: readonly Section[] = [];
  for (;;) {
    const kept = sections.filter((section) => !left.includes(section));
    const text = write(kept, left);
    if (limit.fits(text)) return text;
    const [last] = kept.filter(({ rank }) => rank > 0).toSorted((a, b) => b.rank - a.rank);
    if (last === undefined) throw new RangeError(`${limit.name} are too few for a report's first lines`);
    left = sections.filter((section) => section === last || left.includes(section));
  }
}
