import { measured, type Measured, notMeasured } from '../../domain/measured.ts';
import type { Docker } from './docker.ts';
import { whatFailed } from '../../process/command-failure.ts';

/** Those that decide how long a flow without an owner lives on, and what a packet out of window meets. */
const names = [
  'nf_conntrack_max',
  'nf_conntrack_tcp_be_liberal',
  'nf_conntrack_tcp_loose',
  'nf_conntrack_tcp_timeout_established',
  'nf_conntrack_tcp_timeout_fin_wait',
  'nf_conntrack_tcp_timeout_close_wait',
  'nf_conntrack_tcp_timeout_time_wait',
  'nf_conntrack_udp_timeout',
  'nf_conntrack_udp_timeout_stream',
].map((name) => `net.netfilter.${name}`);

const pathOf = (name: string) => `/proc/sys/${name.replaceAll('.', '/')}`;

/** Network sysctls of a node, by name; one that its kernel lacks is left out. */
export async function readSysctls(
  docker: Docker,
  node: string,
  signal: AbortSignal,
): Promise<Measured<Readonly<Record<string, string>>>> {
  try {
    // grep names the file of each value and goes on after one that is missing, which sysctl would stop at
    const args = ['exec', node, 'grep', '--no-messages', '--with-filename', '', ...names.map(pathOf)];
    const { stdout, stderr } = await docker(args, { signal, timeoutMs: 20_000, okExitCodes: [0, 1, 2] });
    const values = names.flatMap((name) => {
      const line = stdout.split('\n').find((candidate) => candidate.startsWith(`${pathOf(name)}:`));
      return line === undefined ? [] : [[name, line.slice(pathOf(name).length + 1)] as const];
    });
    if (values.length === 0) return notMeasured(`node ${node} shows no net.netfilter sysctl ${stderr}`.trim());
    return measured(Object.fromEntries(values));
  } catch (error) {
    signal.throwIfAborted();
    return notMeasured(`the sysctls of node ${node} could not be read: ${whatFailed(error)}`);
  }
}
