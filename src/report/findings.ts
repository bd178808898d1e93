import type { Aggregate, ArmAggregate, TrialSummary, WatchGap } from '../domain/aggregate.ts';
import { completeArms } from '../domain/arm-labels.ts';
import { formatMs } from '../domain/format-ms.ts';
import { contradictions } from './causes.ts';
import { lostWhileDraining } from './expectation-of.ts';
import { plural } from './format.ts';
import { unbound } from './text-layout.ts';
import { printable } from '../domain/printable.ts';

/** A line that stands against a run, or that its reader must know before any number. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly text: string;
}

/** Everything that goes right under the table of outcomes: unexpected ends, repeats that disagree, drift. */
export function findings(aggregate: Aggregate, label: (arm: ArmAggregate) => string): readonly Finding[] {
  return [
    ...aggregate.drift.map((text) => warning(`drift across arms: ${printable(text)}`)),
    ...completeArms(aggregate).flatMap((arm) =>
      armFindings(arm).map(({ severity, text }) => ({ severity, text: `${label(arm)}: ${text}` })),
    ),
  ];
}

/** What stands against one arm. */
export const armFindings = (arm: ArmAggregate): readonly Finding[] => [
  ...withTrials(arm, ({ unexpected }) => unexpected).map(error),
  ...withTrials(arm, ({ inconclusive }) => inconclusive).map(error),
  ...arm.drift.map((text) => error(`not one experiment, no statistics: ${printable(text)}`)),
  ...lossFindings(arm),
  ...arm.disagreements.map((text) => warning(printable(text))),
  ...withTrials(arm, ({ causes }) => contradictions(causes)).map(warning),
  ...withTrials(arm, ({ watchGaps }) => watchGaps.map(gapText)).map(warning),
];

/** What is as expected is not always well. */
function lossFindings(arm: ArmAggregate): readonly Finding[] {
  const found = lostWhileDraining(arm);
  if (found === undefined) return [];
  const { lost, of } = found;
  return [
    warning(
      `${lost} of ${plural(of, 'TCP flow')} were lost although the application drained: as expected of this data plane, which keeps no flow of a pod that is neither ready nor serving`,
    ),
  ];
}

const error = (text: string): Finding => ({ severity: 'error', text });
const warning = (text: string): Finding => ({ severity: 'warning', text });

/** What was found in trials, each once, with those in which it was. */
function withTrials({ trials }: ArmAggregate, read: (trial: TrialSummary) => readonly string[]): readonly string[] {
  const byText = new Map<string, string[]>();
  for (const trial of trials) {
    for (const text of new Set(read(trial))) byText.set(text, [...(byText.get(text) ?? []), trial.id]);
  }
  return [...byText].map(([text, ids]) => {
    const where = ids.length === trials.length ? `all ${plural(ids.length, 'trial')}` : ids.join(', ');
    return printable(`${text} (${where})`);
  });
}

function gapText({ resource, gapMs, late }: WatchGap): string {
  const down =
    gapMs.status === 'measured'
      ? `the watch of ${resource} was down for ${unbound(formatMs(gapMs.value))}`
      : `the watch of ${resource} went down: ${gapMs.reason}`;
  return late.length === 0 ? down : `${down}; word of ${late.join(', ')} may have come late by as much`;
}
