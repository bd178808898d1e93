import { readFileSync } from 'node:fs';

/** `total` of the line `some`, in microseconds (Documentation/accounting/psi.rst); null for any other text. */
export function parseCpuPressure(text: string): number | null {
  const total = /^some .*\btotal=(\d+)\s*$/m.exec(text)?.[1];
  return total === undefined ? null : Number(total);
}

/** USER_HZ is 100 on every architecture that Node.js runs on (proc(5), sysconf(_SC_CLK_TCK)). */
const msPerTick = 10;

/** The eighth number of the line `cpu`, in milliseconds (proc_stat(5)); null for any other text. */
export function parseStolen(text: string): number | null {
  const ticks = /^cpu +(?:\d+ ){7}(\d+)/m.exec(text)?.[1];
  return ticks === undefined ? null : Number(ticks) * msPerTick;
}

const read = <T>(path: string, parse: (text: string) => T | null): T | null => {
  try {
    return parse(readFileSync(path, 'latin1'));
  } catch {
    // no Linux, or a kernel without PSI
    return null;
  }
};

export const readCpuPressure = (): number | null => read('/proc/pressure/cpu', parseCpuPressure);
export const readStolen = (): number | null => read('/proc/stat', parseStolen);
