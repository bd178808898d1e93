import type {
  ArmComparison,
  ComparedArm,
  Comparison,
  MetricComparison,
  OutcomeDifference,
  Shift,
  ShiftFinding,
  WayCount,
} from '../../domain/comparison.ts';
import { comparedArms } from '../../domain/comparison.ts';
import { formatSummary, nbsp, withMinus } from '../../domain/format-ms.ts';
import { printable } from '../../domain/printable.ts';
import { dash, formatPercent, plural } from '../format.ts';

export const findingMarks: Readonly<Record<ShiftFinding, string>> = { 'no-shift': '✓', shifted: '✗', undecided: '?' };
export const findingColors = { 'no-shift': 'green', shifted: 'red', undecided: 'yellow' } as const;

export const findingWords: Readonly<Record<ShiftFinding, string>> = {
  'no-shift': 'no shift',
  shifted: 'shifted',
  undecided: 'undecided',
};

/** The answer in a line. */
export function comparisonHeadline({ a, b, arms, finding }: Comparison): string {
  const compared = comparedArms({ arms });
  const metrics = compared.flatMap((arm) => arm.metrics);
  const count = (wanted: ShiftFinding) => metrics.filter((metric) => metric.finding === wanted).length;
  const outcomes = compared.filter((arm) => arm.outcomes.some((each) => each.finding !== 'no-shift')).length;
  const lost = arms.length - compared.length;
  return [
    `${printable(b.name)} against ${printable(a.name)}: ${findingWords[finding]}`,
    ...(outcomes === 0 ? [] : [`other outcomes in ${plural(outcomes, 'arm')}`]),
    `${count('no-shift')} of ${plural(metrics.length, 'metric')} without a shift`,
    ...(count('shifted') === 0 ? [] : [`${count('shifted')} shifted`]),
    ...(count('undecided') === 0 ? [] : [`${count('undecided')} undecided`]),
    ...(lost === 0 ? [] : [`${plural(lost, 'arm')} not compared`]),
  ].join(' · ');
}

/** As `✗ TCP outcomes: 10 severed (rst) in 5 / 10 read-timeout in 5; p = 0.008`. */
export function outcomeText({ aspect, a, b, pValue, finding }: OutcomeDifference): string {
  const chance = finding === 'no-shift' ? ', no more than chance makes' : '';
  return printable(`${findingMarks[finding]} ${aspect}: ${ways(a)} / ${ways(b)}; p = ${formatPValue(pValue)}${chance}`);
}
const ways = (counts: readonly WayCount[]): string => counts.map(({ way, trials }) => `${way} in ${trials}`).join(', ');

export const armHeading = ({ label, repeats }: ComparedArm): string =>
  `${label} · n = ${repeats.a}${repeats.a === repeats.b ? '' : ` and ${repeats.b}`}`;

export const uncomparedText = (arm: Exclude<ArmComparison, ComparedArm>): string =>
  printable(`not compared: ${arm.label}: ${arm.reason}`);

export const sampleText = (sample: MetricComparison['a']): string =>
  sample.status === 'measured' ? formatSummary(sample.value) : dash;

/** As `+3.1 ms (−2.0 to 8.4)`. */
export function shiftText({ shift }: Pick<MetricComparison, 'shift'>): string {
  if (shift.status === 'not-measured') return dash;
  const { interval } = shift.value;
  return `${signed(shift.value.shift)}${nbsp}ms (${withMinus(interval.low, 1)} to ${withMinus(interval.high, 1)})`;
}

export const signed = (value: number): string => {
  const text = withMinus(value, 1);
  return text.startsWith('−') || Number(text) === 0 ? text : `+${text}`;
};

export const pValueText = ({ shift }: Pick<MetricComparison, 'shift'>): string =>
  shift.status === 'measured' ? formatPValue(shift.value.adjustedPValue) : dash;
export const formatPValue = (p: number): string => (p < 0.001 ? '< 0.001' : p.toFixed(3));

export const floorText = ({ floorMs }: Pick<MetricComparison, 'floorMs'>): string =>
  floorMs === null ? dash : `±${floorMs}`;

type Judged = Pick<MetricComparison, 'finding' | 'reason' | 'moreRepeats'>;

export function findingText({ finding, reason, moreRepeats }: Judged): string {
  const more = moreRepeats === null ? [] : [`at least about ${plural(moreRepeats, 'more repeat')}`];
  const why = reason === null ? [] : [printable(reason)];
  return [`${findingMarks[finding]} ${findingWords[finding]}`, ...why, ...more].join('; ');
}

/** For a narrow column: why it is undecided only where more repeats would not help. */
export function shortFinding({ finding, reason, moreRepeats }: Judged): string {
  const why = moreRepeats === null ? [] : [`≥ ${moreRepeats} more`];
  const because = reason === null || moreRepeats !== null ? [] : [printable(reason)];
  return [`${findingMarks[finding]} ${findingWords[finding]}`, ...why, ...because].join(', ');
}

/** What the numbers can bear. */
export function comparisonRemarks({ arms, confidence }: Comparison): readonly string[] {
  const shifts = comparedArms({ arms })
    .flatMap(({ metrics }) => metrics)
    .flatMap(({ shift }): readonly Shift[] => (shift.status === 'measured' ? [shift.value] : []));
  if (shifts.length === 0) return [];
  const least = Math.min(...shifts.map(({ interval }) => interval.confidence));
  return [
    `Shift: the median of all differences between a repeat of the second and one of the first (Hodges and Lehmann), with its exact interval of ${formatPercent(least)} or more.`,
    `p: the exact rank sum test of Mann and Whitney, corrected for ${plural(shifts.length, 'test')} (Holm).`,
    `✓ the whole interval lies within the floor; ✗ p is ${formatPercent(1 - confidence)} or less and the shift beyond the floor; ? neither is sure, and about how many more repeats it takes at least.`,
  ];
}
