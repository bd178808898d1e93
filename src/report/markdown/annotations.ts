import type { Aggregate, ArmResult } from '../../domain/aggregate.ts';
import { armLabeller } from '../../domain/arm-labels.ts';
import { printable } from '../../domain/printable.ts';
import { clip } from '../document/model.ts';
import { armFindings } from '../findings.ts';

/** A remark beside a job, in the words of workflow commands. Plain text on one line each. */
export interface JobAnnotation {
  readonly level: 'error' | 'warning';
  readonly title: string;
  readonly message: string;
}

/** GitHub shows so many of a level and step; errors and warnings together stay below it. */
const most = 10;
const longestTitle = 120;
const longestMessage = 1000;

/** What stands against the run, an arm an annotation; of too many the last says how many more there are. */
export function renderAnnotations(aggregate: Aggregate): readonly JobAnnotation[] {
  const label = armLabeller(aggregate);
  const all = aggregate.arms.flatMap((arm) => annotationOf(arm, label) ?? []);
  // errors must not be pushed out by warnings
  const sorted = all.toSorted((a, b) => Number(b.level === 'error') - Number(a.level === 'error'));
  if (sorted.length <= most) return sorted;
  const rest = sorted.slice(most - 1);
  const level = rest.some((one) => one.level === 'error') ? 'error' : 'warning';
  const message = rest.map(({ title }) => title).join('; ');
  return [
    ...sorted.slice(0, most - 1),
    { level, title: `drainwatch: ${rest.length} more arms`, message: clip(message, longestMessage) },
  ];
}

function annotationOf(arm: ArmResult, label: (arm: ArmResult) => string): JobAnnotation | undefined {
  const annotation = (level: JobAnnotation['level'], verdict: string, message: string): JobAnnotation => ({
    level,
    title: clip(`${label(arm)}: ${verdict}`, longestTitle),
    message: clip(message, longestMessage),
  });
  if (arm.status !== 'complete') {
    return arm.status === 'discarded' ? annotation('error', 'discarded', printable(arm.reason)) : undefined;
  }
  if (arm.verdict === 'as-expected') return undefined;
  const own = armFindings(arm)
    .map(({ text }) => text)
    .join('; ');
  return arm.verdict === 'not-as-expected'
    ? annotation('error', 'not as expected', own === '' ? 'a trial ended outside the expectation' : own)
    : annotation('warning', 'inconclusive', own === '' ? 'the repeats do not tell' : own);
}
