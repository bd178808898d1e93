// Recomputes every difference that an aggregate tells of from the raw trials, and lists where the two disagree.
import { canEnumerate, rankSumPValue, shiftOf, stepDown, tablePValue } from './brute-force.mjs';
import { countedTimes } from './count-times.mjs';

const close = (a, b) => Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a), Math.abs(b));

/**
 * @param aggregate as `aggregate.json` holds it
 * @param trials as `readRawTrials` gives them
 * @returns what was checked, in numbers, and every disagreement as a line
 */
export function checkDifferences(aggregate, trials) {
  const disagreements = [];
  const checked = { medians: 0, shifts: 0, outcomes: 0, unchecked: 0 };
  const against = (place, what, told, found) =>
    disagreements.push(`${place}: ${what} is told as ${told}, found ${found}`);
  const trialsOf = (arm) => trials.filter((trial) => trial.arm === arm);

  for (const arm of aggregate.arms.filter(({ status }) => status === 'complete')) {
    const own = trialsOf(arm.arm.id);
    if (own.length !== arm.trials.length) against(arm.arm.id, 'the number of trials', arm.trials.length, own.length);
    for (const { metric, summary } of arm.metrics) {
      if (summary.status !== 'measured') continue;
      const values = valuesOf(own, metric);
      const told = [summary.value.min, summary.value.median, summary.value.max];
      const found = [Math.min(...values), medianOf(values), Math.max(...values)];
      checked.medians += 1;
      if (values.length !== summary.value.n || told.some((value, index) => !close(value, found[index]))) {
        against(`${arm.arm.id} ${metric}`, 'median (min–max)', told.join(' '), found.join(' '));
      }
    }
  }

  for (const comparison of aggregate.comparisons ?? []) {
    const all = [];
    for (const row of comparison.rows) {
      const samplesAt = (level) => trialsOf(row.arms.find((one) => one.level === level)?.arm);
      const reference = samplesAt(comparison.reference);
      const compared = row.against.filter(({ status }) => status === 'compared');
      checkOutcomes({ row, compared, reference, samplesAt, comparison, checked, against });
      const names = new Set(compared.flatMap(({ metrics }) => metrics.map(({ metric }) => metric)));
      for (const name of names) {
        const tests = compared.flatMap(({ level, metrics }) => {
          const told = metrics.find(({ metric }) => metric === name);
          if (told === undefined) return [];
          const [a, b] = [valuesOf(reference, name), valuesOf(samplesAt(level), name)];
          return [{ place: `${row.label}, ${level}, ${name}`, told, a, b }];
        });
        const tested = tests.filter(({ told, place, a, b }) => isTested(told, place, a, b, against));
        for (const test of tested)
          test.pValue = canEnumerate(test.a.length, test.b.length) ? rankSumPValue(test.a, test.b) : undefined;
        all.push(...tested);
        const family = tested.filter(({ pValue }) => pValue !== undefined);
        checked.unchecked += tested.length - family.length;
        if (family.length < tested.length) continue;
        const adjusted = stepDown(family.map(({ pValue }) => pValue));
        for (const [index, test] of family.entries()) {
          checkShift({ ...test, adjusted: adjusted[index], confidence: comparison.confidence, against });
          checked.shifts += 1;
        }
      }
    }
    if (all.length !== comparison.tests)
      against(comparison.factor, 'the number of tests', comparison.tests, all.length);
    if (all.some(({ pValue }) => pValue === undefined)) continue;
    const overall = stepDown(all.map(({ pValue }) => pValue));
    for (const [index, { told, place }] of all.entries()) {
      if (!close(told.shift.value.overallPValue, overall[index])) {
        against(place, 'p over all tests', told.shift.value.overallPValue, overall[index]);
      }
    }
  }
  return { checked, disagreements };
}

const valuesOf = (trials, metric) =>
  trials.flatMap((trial) => {
    const count = trial.events.length > 0 ? countedTimes[metric] : undefined;
    return (count === undefined ? trial.metrics.get(metric) : count(trial)) ?? [];
  });

function medianOf(values) {
  const ordered = [...values].sort((a, b) => a - b);
  return (ordered[Math.floor((ordered.length - 1) / 2)] + ordered[Math.floor(ordered.length / 2)]) / 2;
}

/** Whether a shift was told; what has no shift is held to its reason's kind. */
function isTested({ shift, finding }, place, a, b, against) {
  const sides = [a, b].filter((values) => values.length > 0).length;
  if ((sides === 1) !== (finding === 'one-sided')) against(place, 'the finding', finding, `${sides} sides with values`);
  return shift.status === 'measured';
}

function checkShift({ place, told, a, b, pValue, adjusted, confidence, against }) {
  const { shift, interval } = shiftOf(a, b, confidence);
  const { value } = told.shift;
  const pairs = [
    ['the shift', value.shift, shift],
    ['the low end', value.interval.low, interval?.low],
    ['the high end', value.interval.high, interval?.high],
    ['p', value.pValue, pValue],
    ['p of its family', value.adjustedPValue, adjusted],
  ];
  for (const [what, said, found] of pairs) {
    if (found === undefined || !close(said, found)) against(place, what, said, found);
  }
  if (told.floorMs === null || interval === undefined) return;
  const within = interval.low >= -told.floorMs && interval.high <= told.floorMs;
  const beyond = adjusted <= 1 - confidence && Math.abs(shift) > told.floorMs;
  const finding = within ? 'no-shift' : beyond ? 'shifted' : 'undecided';
  if (finding !== told.finding) against(place, 'the finding', told.finding, finding);
}

const outcomeOf = ({ kind, by }) => (by === null ? kind : `${kind} (${by})`);
const joined = (names) => (names.length === 0 ? undefined : [...new Set(names)].sort().join(' + '));
const flowsOf = ({ flows }, protocol) => flows.filter((flow) => flow.protocol === protocol);

/** In what way a trial came out, by aspect; undefined where it does not tell. */
const ways = {
  'tcp-outcomes': (trial) => joined(flowsOf(trial, 'tcp').map(outcomeOf)),
  'udp-outcomes': (trial) => joined(flowsOf(trial, 'udp').map(outcomeOf)),
  'udp-rehomed': (trial) => {
    const udp = flowsOf(trial, 'udp');
    const moved = udp.filter(({ rehomedMs }) => rehomedMs !== null).length;
    if (udp.length === 0) return undefined;
    return moved === 0 ? 'none' : moved === udp.length ? 'all' : 'some';
  },
  'exit-code': ({ exitCode }) => (typeof exitCode === 'number' ? `${exitCode}` : undefined),
  'tcp-causes': (trial) => joined(flowsOf(trial, 'tcp').flatMap(({ cause }) => cause ?? [])),
  'udp-causes': (trial) => joined(flowsOf(trial, 'udp').flatMap(({ cause }) => cause ?? [])),
};

function checkOutcomes({ row, compared, reference, samplesAt, comparison, checked, against }) {
  for (const [aspect, wayOf] of Object.entries(ways)) {
    const usual = reference.flatMap((trial) => wayOf(trial) ?? []);
    const tests = compared.map(({ level, outcomes }) => ({
      place: `${row.label}, ${level}, ${aspect}`,
      told: outcomes.find((one) => one.aspect === aspect),
      found: samplesAt(level).flatMap((trial) => wayOf(trial) ?? []),
    }));
    // CSV files have no exit codes, and may be without flows
    if ([usual, ...tests.map(({ found }) => found)].every(({ length }) => length === 0)) {
      checked.unchecked += tests.filter(({ told }) => told !== undefined).length;
      continue;
    }
    if (tests.some(({ found }) => !canEnumerate(usual.length, found.length))) {
      checked.unchecked += tests.length;
      continue;
    }
    const pValues = tests.map(({ found }) =>
      usual.length === 0 || found.length === 0 ? 1 : tablePValue(usual, found),
    );
    const adjusted = stepDown(pValues);
    for (const [index, { place, told, found }] of tests.entries()) {
      checked.outcomes += 1;
      const differs = usual.length > 0 && found.length > 0 && !sameShares(usual, found);
      if (differs !== (told !== undefined)) {
        against(place, 'whether ways differ', told !== undefined, differs);
      } else if (told !== undefined) {
        if (!sameCounts(told.reference, usual)) against(place, 'the reference', JSON.stringify(told.reference), usual);
        if (!sameCounts(told.level, found)) against(place, 'the level', JSON.stringify(told.level), found);
        if (!close(told.adjustedPValue, adjusted[index])) against(place, 'p', told.adjustedPValue, adjusted[index]);
        const supported = adjusted[index] <= 1 - comparison.confidence;
        if (supported !== (told.finding === 'shifted')) against(place, 'the finding', told.finding, adjusted[index]);
      }
    }
  }
}

const countOf = (items, wanted) => items.filter((item) => item === wanted).length;
const sameShares = (a, b) =>
  [...new Set([...a, ...b])].every((way) => countOf(a, way) * b.length === countOf(b, way) * a.length);
const sameCounts = (told, found) =>
  told.reduce((sum, { trials }) => sum + trials, 0) === found.length &&
  told.every(({ way, trials }) => countOf(found, way) === trials);
