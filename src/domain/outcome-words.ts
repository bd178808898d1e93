import { printable } from './printable.ts';

/** A reader's words for the names that `outcomeName` gives. */
const words: ReadonlyMap<string, string> = new Map([
  ['drained-clean-close', 'closed cleanly'],
  ['severed (rst)', 'reset'],
  ['severed (unannounced-fin)', 'closed unannounced'],
  ['severed (write-error)', 'cut by a write error'],
  ['severed (icmp-unreachable)', 'refused'],
  ['severed (silence)', 'fell silent'],
  ['severed (rehomed)', 're-homed'],
  ['read-timeout', 'timed out'],
  ['survived-observation-window', 'survived'],
  ['not-measured', 'not measured'],
]);

/** All of them, from the best end of a flow to none at all: the order of legends. */
export const outcomeOrder: readonly string[] = [
  'drained-clean-close',
  'survived-observation-window',
  'severed (rehomed)',
  'severed (icmp-unreachable)',
  'severed (rst)',
  'severed (unannounced-fin)',
  'severed (write-error)',
  'severed (silence)',
  'read-timeout',
  'not-measured',
];

/** An outcome of a report in words; a name that this version does not know stands for itself. */
export const outcomeWords = (name: string): string => words.get(name) ?? printable(name);
