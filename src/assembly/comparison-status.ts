import type { ShiftFinding } from '../domain/comparison.ts';
import { exitStatuses } from './exit-status.ts';

/** How a comparison ends the program, beside the statuses that all commands share. */
export const comparisonStatuses = {
  'no-shift': exitStatuses.asExpected,
  shifted: 4,
  undecided: 5,
} as const satisfies Readonly<Record<ShiftFinding, number>>;

export const comparisonStatusMeanings: Readonly<Record<ShiftFinding, string>> = {
  'no-shift': 'every outcome is the same, and no metric shifted by more than its floor',
  shifted: 'an outcome is another, or a metric shifted by more than its floor',
  undecided: 'neither is sure with so many repeats, or an arm has no numbers',
};

/** As the end of a command's help. */
export const comparisonStatusHelp: string = [
  '\nExit status of a comparison:',
  ...Object.entries(comparisonStatusMeanings).map(
    ([finding, meaning]) => `  ${String(comparisonStatuses[finding as ShiftFinding]).padEnd(4)} ${meaning}`,
  ),
].join('\n');
