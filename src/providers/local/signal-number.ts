import { constants } from 'node:os';

const numbers: ReadonlyMap<string, number> = new Map(Object.entries(constants.signals));

/** The kernel's number of a signal's name, as 9 for SIGKILL. */
export function signalNumber(name: string): number {
  const number = numbers.get(name);
  if (number === undefined) throw new Error(`${name} is no signal of this system`);
  return number;
}
