import { availableParallelism, release, totalmem } from 'node:os';
import { shownConcurrency } from '../experiment/fit-matrix.ts';
import { kernelLack } from '../providers/kind/kernel-needs.ts';
import type { ProxyMode } from '../domain/cluster.ts';
import { proxyModes } from '../proxy-modes/index.ts';
import { clientClock } from '../timeline/client-clock.ts';
import { createProviders, type ProviderContext, type ProviderOptions } from '../assembly/providers.ts';

export interface Finding {
  readonly name: string;
  /** `note`: neither good nor bad. */
  readonly status: 'ok' | 'lacking' | 'note';
  readonly detail: string;
  readonly remedy: string | null;
}

/** Asks this machine everything that a run would need of it. Makes nothing. */
export async function diagnose(
  context: ProviderContext,
  options: ProviderOptions,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const providers = createProviders(context, options);
  const findings: Finding[] = [machine(), clock(), concurrencyOn(availableParallelism())];
  for (const provider of providers) {
    const state = await provider.availability(signal);
    findings.push(
      state.available
        ? { name: `provider ${provider.name}`, status: 'ok', detail: state.detail, remedy: null }
        : { name: `provider ${provider.name}`, status: 'lacking', detail: state.reason, remedy: state.remedy },
    );
  }
  const modes = await Promise.all([...proxyModes].map((mode) => kernelOf(mode, context, signal)));
  return [...findings, ...modes];
}

const machine = (): Finding => ({
  name: 'machine',
  status: 'note',
  detail: `Node.js ${process.version}, kernel ${release()}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
  remedy: null,
});

function clock(): Finding {
  const { bootId, timeNamespaceOffsetNs } = clientClock;
  const name = 'clock';
  if (bootId !== null && timeNamespaceOffsetNs !== null) {
    return {
      name,
      status: 'ok',
      detail: 'CLOCK_MONOTONIC of this kernel can be shown to be shared with local and kind probes',
      remedy: null,
    };
  }
  return {
    name,
    status: 'lacking',
    detail: 'boot_id or the time-namespace offset can’t be read: probe times will have bounds instead of being exact',
    remedy: 'run on Linux with /proc readable',
  };
}

/** What `auto` stands for was shown on two cores; a machine with one may not bear it. Exported for its test. */
export function concurrencyOn(cores: number): Finding {
  const meaning = `auto runs ${shownConcurrency} trials at once on a kind cluster, and one at a time elsewhere`;
  const name = 'concurrency';
  return cores >= shownOnCores
    ? { name, status: 'note', detail: `${meaning}; shown on ${shownOnCores} cores`, remedy: null }
    : {
        name,
        status: 'lacking',
        detail: `${meaning}; that was shown on ${shownOnCores} cores, and here ${cores === 1 ? 'is' : 'are'} ${cores}`,
        remedy: 'use --concurrency 1, or see by `aa --levels 1,2,5` how many trials at once shift nothing here',
      };
}
const shownOnCores = 2;

async function kernelOf(mode: ProxyMode, { runner }: ProviderContext, signal: AbortSignal): Promise<Finding> {
  const name = `proxy mode ${mode.name}`;
  const lack = await kernelLack(mode, runner, signal);
  return lack === undefined
    ? { name, status: 'ok', detail: 'this kernel has what it needs', remedy: null }
    : { name, status: 'lacking', detail: lack.found, remedy: lack.remedy };
}
