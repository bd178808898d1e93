/** A stretch of the timeline that is drawn on a scale of its own, in ms after the trigger. */
export interface Segment {
  readonly from: number;
  readonly to: number;
}

/** More panels than this leave no room for labels. */
const mostSegments = 3;

/** No stretch counts as shorter: below it lies the scheduler's noise. */
const leastSpanMs = 4;

/** What a further segment must gain; fewer are read more easily. */
const penalty = 8;

/**
 * Cuts the timeline where the density of its moments changes, so that bursts get room and silence gets none: the
 * piecewise uniform density of greatest likelihood (Scargle and others, "Bayesian Blocks", ApJ 764, 2013), with at most
 * three blocks. `times` is not empty.
 */
export function segmentsOf(times: readonly number[]): readonly Segment[] {
  const sorted = [...new Set(times)].toSorted((a, b) => a - b);
  const last = sorted.length - 1;
  const candidates = cutsUpTo(mostSegments - 1, last).map((cuts) => {
    const starts = [0, ...cuts];
    return starts.map((start, index) => ({ from: start, to: (starts[index + 1] ?? last + 1) - 1 }));
  });
  const spans = candidates.map((blocks) =>
    blocks.map(({ from, to }) => ({ from: sorted[from] ?? 0, to: sorted[to] ?? 0, moments: to - from + 1 })),
  );
  const best = spans.reduce((one, other) => (likelihood(other) > likelihood(one) ? other : one));
  return best.map(({ from, to }) => ({ from, to }));
}

/** Every way to begin at most `most` further blocks at one of the positions 1 to `last`. */
function cutsUpTo(most: number, last: number, after = 0): readonly (readonly number[])[] {
  if (most === 0) return [[]];
  const further = Array.from({ length: Math.max(0, last - after) }, (_, index) => after + 1 + index);
  return [[], ...further.flatMap((cut) => cutsUpTo(most - 1, last, cut).map((rest) => [cut, ...rest]))];
}

const likelihood = (blocks: readonly (Segment & { readonly moments: number })[]): number =>
  blocks.reduce(
    (sum, { from, to, moments }) =>
      sum + moments * (Math.log(moments) - Math.log(Math.max(to - from, leastSpanMs))) - penalty,
    0,
  );

/** The segments, widened so that each of `times` lies in the one that is nearest to it. */
export function widened(segments: readonly Segment[], times: readonly number[]): readonly Segment[] {
  const distance = ({ from, to }: Segment, time: number) => Math.max(from - time, time - to, 0);
  const nearest = (time: number) =>
    segments.reduce((one, other) => (distance(other, time) < distance(one, time) ? other : one));
  return segments.map((segment) => {
    const own = times.filter((time) => nearest(time) === segment);
    return { from: Math.min(segment.from, ...own), to: Math.max(segment.to, ...own) };
  });
}
