// Exact tests by trying every way to deal the values out, for samples small enough.

/** More ways than these take too long: 10 against 10 values have 184,756. */
const most = 400_000;

/** Whether `m` of `m + n` values can be dealt out in every way; false for what is left unchecked. */
export const canEnumerate = (m, n) => choices(m + n, m) <= most;

function choices(n, k) {
  let ways = 1;
  for (let index = 1; index <= k; index += 1) ways = (ways * (n - k + index)) / index;
  return ways;
}

/** Calls `visit` with the indices of every choice of `size` out of `total`. */
function everyChoice(total, size, visit) {
  const chosen = Array.from({ length: size }, (_, index) => index);
  for (;;) {
    visit(chosen);
    let place = size - 1;
    while (place >= 0 && chosen[place] === total - size + place) place -= 1;
    if (place < 0) return;
    chosen[place] += 1;
    for (let next = place + 1; next < size; next += 1) chosen[next] = chosen[next - 1] + 1;
  }
}

const tolerance = 1e-9;

/** The share of all deals whose rank sum lies as far from the middle as the one seen, or farther. */
export function rankSumPValue(a, b) {
  const values = [...a, ...b];
  const ranks = values.map(
    (value) =>
      values.filter((other) => other < value).length + (values.filter((other) => other === value).length + 1) / 2,
  );
  const middle = (a.length * (values.length + 1)) / 2;
  const seen = Math.abs(ranks.slice(0, a.length).reduce((sum, rank) => sum + rank, 0) - middle);
  let [all, extreme] = [0, 0];
  everyChoice(values.length, a.length, (chosen) => {
    let sum = 0;
    for (const index of chosen) sum += ranks[index];
    all += 1;
    if (Math.abs(sum - middle) >= seen - tolerance) extreme += 1;
  });
  return extreme / all;
}

/** The share of all deals of the labels whose table is as rare as the one seen, or rarer. */
export function tablePValue(a, b) {
  const labels = [...a, ...b];
  const kinds = [...new Set(labels)];
  const numbers = labels.map((label) => kinds.indexOf(label));
  const deals = new Map();
  const keyOf = (chosen) => {
    const counts = kinds.map(() => 0);
    for (const index of chosen) counts[numbers[index]] += 1;
    return counts.join(',');
  };
  let all = 0;
  everyChoice(labels.length, a.length, (chosen) => {
    const key = keyOf(chosen);
    deals.set(key, (deals.get(key) ?? 0) + 1);
    all += 1;
  });
  const seen = deals.get(keyOf(a.map((_, index) => index)));
  return [...deals.values()].filter((times) => times <= seen).reduce((sum, times) => sum + times, 0) / all;
}

/** The median of all differences, and the differences between which the shift lies with the confidence asked for. */
export function shiftOf(a, b, confidence) {
  const differences = b.flatMap((ours) => a.map((theirs) => ours - theirs)).sort((x, y) => x - y);
  const middle = differences.length / 2;
  const shift =
    differences.length % 2 === 1
      ? differences[Math.floor(middle)]
      : (differences[middle - 1] + differences[middle]) / 2;
  const depth = depthOf(a.length, b.length, confidence);
  if (depth === 0) return { shift, interval: undefined };
  return { shift, interval: { low: differences[depth - 1], high: differences[differences.length - depth] } };
}

const depths = new Map();

/** How many of the outermost differences on each side are left out, by the sums of untied ranks of every deal. */
function depthOf(m, n, confidence) {
  const key = `${m} ${n} ${confidence}`;
  if (depths.has(key)) return depths.get(key);
  const times = new Map();
  let all = 0;
  everyChoice(m + n, n, (chosen) => {
    const u = chosen.reduce((sum, index) => sum + index + 1, 0) - (n * (n + 1)) / 2;
    times.set(u, (times.get(u) ?? 0) + 1);
    all += 1;
  });
  let [depth, below] = [0, 0];
  while (2 * (below + (times.get(depth) ?? 0)) <= (1 - confidence) * all + tolerance && 2 * (depth + 1) <= m * n + 1) {
    below += times.get(depth) ?? 0;
    depth += 1;
  }
  depths.set(key, depth);
  return depth;
}

/** Each p-value times how many are no smaller, and never less than a smaller one's. */
export const stepDown = (pValues) =>
  pValues.map((own) =>
    Math.max(
      ...pValues
        .filter((other) => other <= own + tolerance)
        .map((other) => Math.min(1, other * pValues.filter((one) => one >= other - tolerance).length)),
    ),
  );
