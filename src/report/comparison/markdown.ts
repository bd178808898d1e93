import { comparedArms, type ComparedArm, type Comparison } from '../../domain/comparison.ts';
import { folded, list, open, paragraph, strong, type Block, type Section } from '../document/model.ts';
import { writeSection } from '../markdown/write.ts';
import { nameOf } from '../metrics-table.ts';
import {
  armHeading,
  comparisonHeadline,
  comparisonRemarks,
  findingMarks,
  findingText,
  floorText,
  outcomeText,
  pValueText,
  sampleText,
  shiftText,
  uncomparedText,
} from './words.ts';

/** A comparison as GitHub's Markdown: the answer, what stands against it, and the evidence folded. */
export function writeComparison(comparison: Comparison): string {
  return `${comparisonSections(comparison)
    .map((section) => writeSection(section, { headings: section.title !== '' }))
    .join('\n\n')}\n`;
}

/** The same as sections of a document; `title` instead of the answer, where the answer stands elsewhere. */
export function comparisonSections(comparison: Comparison): readonly Section[] {
  const compared = comparedArms(comparison);
  const uncompared = comparison.arms.flatMap((arm) => (arm.status === 'compared' ? [] : [uncomparedText(arm)]));
  const against = compared.flatMap(({ label, outcomes, metrics }) => [
    ...outcomes.map((each) => `${label}: ${outcomeText(each)}`),
    ...metrics
      .filter(({ finding }) => finding !== 'no-shift')
      .map((metric) => `${label}: ${findingMarks[metric.finding]} ${nameOf(metric.metric)}: ${shiftText(metric)}`),
  ]);
  const facts = [...comparison.differences.map((text) => `not alike in ${text}`), ...uncompared];
  return [
    open('', 0, [
      ...paragraph([[strong(comparisonHeadline(comparison))]]),
      ...list(facts),
      ...list(against),
      ...paragraph(comparisonRemarks(comparison)),
    ]),
    ...compared.map((arm) => folded(armHeading(arm), 1, [armTable(arm, comparison)])),
  ];
}

const armTable = (arm: ComparedArm, { a, b }: Comparison): Block => ({
  kind: 'table',
  caption: armHeading(arm),
  captionRepeats: true,
  columns: ['metric', a.name, b.name, 'shift (interval)', 'p', 'floor, ms', 'finding'],
  rows: arm.metrics.map((metric) => [
    [nameOf(metric.metric)],
    [sampleText(metric.a)],
    [sampleText(metric.b)],
    [shiftText(metric)],
    [pValueText(metric)],
    [floorText(metric)],
    [findingText(metric)],
  ]),
});
