import { readdirSync, readFileSync } from 'node:fs';

/** Probes of a job: those whose environment names its folder. */
export function probesOf(root: string): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const isProbe = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('probe.js');
      return pid > 1 && isProbe && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(root);
    } catch {
      return false;
    }
  });
}
