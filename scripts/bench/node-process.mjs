// One run of a Node.js program as a whole process.
import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

const preload = fileURLToPath(new URL('usage-at-exit.mjs', import.meta.url));

/**
 * Wall time and CPU time (user and system, all threads) in milliseconds, peak resident memory in megabytes (2^20 bytes).
 *
 * @throws {Error} when it ends with a status that is not among `statuses`.
 */
export async function runNode(args, statuses = [0]) {
  const began = performance.now();
  const child = spawn(process.execPath, ['--import', preload, ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  let usage = '';
  let complaint = '';
  child.stdio[2].on('data', (text) => (complaint += text));
  child.stdio[3].on('data', (text) => (usage += text));
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  const wallMs = performance.now() - began;
  if (!statuses.includes(status)) throw new Error(`${args.join(' ')} ended with ${status}: ${complaint.slice(0, 500)}`);
  return { wallMs, ...JSON.parse(usage) };
}

/** Figures of `rounds` runs, each by name with its values in order; a run before them is not counted. */
export async function figuresOf(args, rounds, { warmUp = true } = {}) {
  if (warmUp) await runNode(args);
  const runs = [];
  for (let round = 0; round < rounds; round += 1) runs.push(await runNode(args));
  const values = (name) => runs.map((run) => run[name]);
  return {
    cpu: { unit: 'ms', values: values('cpuMs') },
    wall: { unit: 'ms', values: values('wallMs') },
    'peak memory': { unit: 'MB', values: values('peakMb') },
  };
}

/** Figures under longer names. */
export const prefixed = (prefix, figures) =>
  Object.fromEntries(Object.entries(figures).map(([name, figure]) => [`${prefix}, ${name}`, figure]));
