import type { Aggregate, ArmAggregate } from '../domain/aggregate.ts';
import { completeArms } from './arm-labels.ts';
import { plural } from './format.ts';
import { printable } from './printable.ts';

/** A line that stands against a run, or that its reader must know before any number. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly text: string;
}

/** Everything that goes right under the table of outcomes: unexpected ends, repeats that disagree, drift. */
export function findings(aggregate: Aggregate, label: (arm: ArmAggregate) => string): readonly Finding[] {
  return [
    ...aggregate.drift.map((text) => warning(`drift across arms: ${printable(text)}`)),
    ...completeArms(aggregate).flatMap((arm) => [
      ...unexpected(arm).map((text) => error(`${label(arm)}: ${text}`)),
      ...arm.drift.map((text) => error(`${label(arm)}: not one experiment, no statistics: ${printable(text)}`)),
      ...arm.disagreements.map((text) => warning(`${label(arm)}: ${printable(text)}`)),
    ]),
  ];
}

const error = (text: string): Finding => ({ severity: 'error', text });
const warning = (text: string): Finding => ({ severity: 'warning', text });

/** What was unexpected, each once, with the trials in which it was. */
function unexpected({ trials }: ArmAggregate): readonly string[] {
  const byText = new Map<string, string[]>();
  for (const trial of trials) {
    for (const text of trial.unexpected) byText.set(text, [...(byText.get(text) ?? []), trial.id]);
  }
  return [...byText].map(([text, ids]) => {
    const where = ids.length === trials.length ? `all ${plural(ids.length, 'trial')}` : ids.join(', ');
    return printable(`${text} (${where})`);
  });
}
