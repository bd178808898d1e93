import { causeWords } from '../../domain/cause-words.ts';
import type { WayCount } from '../../domain/comparison.ts';
import { causes } from '../../domain/flow-cause.ts';
import { formatSummary, nbsp, withMinus } from '../../domain/format-ms.ts';
import type {
  Factor,
  LevelComparison,
  LevelFinding,
  LevelMetric,
  LevelOutcome,
  OutcomeAspect,
} from '../../domain/level-comparison.ts';
import type { MetricAggregate } from '../../domain/aggregate.ts';
import { outcomeWords } from '../../domain/outcome-words.ts';
import { printable } from '../../domain/printable.ts';
import { formatPValue, signed } from '../comparison/words.ts';
import { dash } from '../format.ts';

/** What a factor's levels are, as a heading has it. */
export const factorWords: Readonly<Record<Factor, string>> = {
  'proxy-mode': 'proxy modes',
  'kubernetes-version': 'Kubernetes versions',
};

/** Names the table that has a column a level. */
export const sideBySide: Readonly<Record<Factor, string>> = {
  'proxy-mode': 'Proxy modes side by side',
  'kubernetes-version': 'Kubernetes versions side by side',
};

/** As `p = 0.016`, or `p < 0.001`. */
export function pText(pValue: number): string {
  const text = formatPValue(pValue);
  return text.startsWith('<') ? `p ${text}` : `p = ${text}`;
}

/** As `under iptables and nftables`, or `under Kubernetes v1.34`. */
export function underLevels(factor: Factor, levels: readonly string[]): string {
  const names = inWords(levels.map(printable));
  switch (factor) {
    case 'proxy-mode':
      return `under ${names}`;
    case 'kubernetes-version':
      return `under Kubernetes ${names}`;
    default:
      return factor satisfies never;
  }
}

/** As `a, b and c`. */
export function inWords(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}

const aspectWords: Readonly<Record<OutcomeAspect, string>> = {
  'tcp-outcomes': 'TCP outcomes',
  'udp-outcomes': 'UDP outcomes',
  'udp-rehomed': 're-homed UDP flows',
  'exit-code': 'exit code',
  'tcp-causes': 'why TCP ended',
  'udp-causes': 'why UDP ended',
};

export const levelFindingMarks: Readonly<Record<LevelFinding, string>> = {
  'no-shift': '=',
  shifted: '≠',
  undecided: '?',
  'one-sided': '–',
};

/** As `≠ UDP outcomes: re-homed in 5 (iptables), survived in 5 (cilium); p = 0.016`. */
export function levelOutcomeText(outcome: LevelOutcome, level: string, reference: string): string {
  const { aspect, adjustedPValue, finding } = outcome;
  const side = (counts: readonly WayCount[], name: string) => `${waysText(counts, aspect)} (${printable(name)})`;
  const test =
    adjustedPValue === null ? 'more repeats than exact tests take' : `${pText(adjustedPValue)}${chance(finding)}`;
  const sides = `${side(outcome.reference, reference)} / ${side(outcome.level, level)}`;
  return `${levelFindingMarks[finding]} ${aspectWords[aspect]}: ${sides}; ${test}`;
}

const chance = (finding: LevelOutcome['finding']): string => {
  switch (finding) {
    case 'shifted':
      return '';
    case 'no-shift':
      return ', no more than chance makes';
    case 'undecided':
      return ', too few repeats to tell';
    default:
      return finding satisfies never;
  }
};

const waysText = (counts: readonly WayCount[], aspect: OutcomeAspect): string =>
  counts
    .map(
      ({ way, trials }) =>
        `${way
          .split(' + ')
          .map((one) => wayWords(one, aspect))
          .join(' and ')} in ${trials}`,
    )
    .join(', ');

function wayWords(way: string, aspect: OutcomeAspect): string {
  switch (aspect) {
    case 'tcp-outcomes':
    case 'udp-outcomes':
      return outcomeWords(way);
    case 'tcp-causes':
    case 'udp-causes': {
      const cause = causes.find((known) => known === way);
      return cause === undefined ? printable(way) : causeWords({ cause, by: null });
    }
    case 'udp-rehomed':
    case 'exit-code':
      return printable(way);
    default:
      return aspect satisfies never;
  }
}

/** As `+3.1 ms (−2.0 to 8.4)`. */
export function levelShiftText({ shift }: LevelMetric): string {
  if (shift.status === 'not-measured') return dash;
  const { interval } = shift.value;
  return `${signed(shift.value.shift)}${nbsp}ms (${withMinus(interval.low, 1)} to ${withMinus(interval.high, 1)})`;
}

/** As `+3.1 ms (−2.0 to 8.4), p = 0.016 ≠`. */
export function judgedShiftText(metric: LevelMetric): string {
  const { shift, finding } = metric;
  const mark = levelFindingMarks[finding];
  if (shift.status === 'not-measured') return mark;
  return `${mark} ${levelShiftText(metric)}, ${pText(shift.value.adjustedPValue)}`;
}

export const medianText = (metric: MetricAggregate | undefined): string =>
  metric?.summary.status === 'measured' ? formatSummary(metric.summary.value) : dash;

/** What the marks of differences mean. */
export const levelMarksLine = ({ reference, confidence }: LevelComparison): string =>
  `Against ${printable(reference)}: ≠ p is ${formatPValue(1 - confidence)} or less and the shift beyond its floor; = the whole interval lies within the floor; ? neither is sure; – one of the two alone measured it.`;
