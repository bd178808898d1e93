import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem } from 'node:os';

/** What a number depends on besides the code. */
export function machineFacts() {
  const [first] = cpus();
  return {
    cpu: first?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()}`,
    architecture: process.arch,
    node: process.version,
  };
}

/** Machines of one key are taken for the same: processor, cores, architecture, Node.js's major version. */
export const machineKey = ({ cpu, cores, architecture, node }) =>
  `${cpu}-${cores}-cores-${architecture}-node-${node.slice(1).split('.')[0]}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');

/** Processes that ran or waited for a disk, on average over the last minute (proc_loadavg(5)). */
export const load = () => loadavg()[0];

/** The commit, and whether the tree differs from it. */
export function revision() {
  const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  return {
    commit: git('rev-parse', '--short=12', 'HEAD'),
    dirty: git('status', '--porcelain', '--', 'src', 'probe') !== '',
  };
}
