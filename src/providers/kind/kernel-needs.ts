import { release } from 'node:os';
import type { ProxyMode } from '../../domain/cluster.ts';
import type { FailureFacts } from '../../domain/errors.ts';
import type { Runner } from '../../process/runner.ts';
import { missingOptions } from './kernel-config.ts';
import { canBeLoaded, type KernelPaths, loadModules, missingModules } from './kernel-modules.ts';

type Needy = Pick<ProxyMode, 'name' | 'kernel'>;

const thisKernel = (): KernelPaths => ({ root: '/', release: release() });

/**
 * What a proxy mode needs of this kernel, which nodes share, and does not find; undefined where it finds everything.
 * Modules that could be loaded are no lack.
 */
export async function kernelLack(
  mode: Needy,
  runner: Runner,
  signal: AbortSignal,
  paths: KernelPaths = thisKernel(),
): Promise<FailureFacts | undefined> {
  const { kernel } = mode;
  if (kernel.release !== undefined && isOlder(paths.release, kernel.release)) {
    return facts(mode, paths, `Linux ${kernel.release} or newer`, 'is older', 'run it on a newer kernel');
  }
  const options = missingOptions(kernel.options, paths);
  if (options.length > 0) {
    const found = `was built without ${options.join(', ')}`;
    return facts(mode, paths, kernel.options.join(', '), found, 'run it on a kernel that has them');
  }
  const missing = missingModules(kernel.modules, paths);
  if (missing.length === 0 || (await canBeLoaded(missing, runner, signal))) return undefined;
  return moduleFacts(mode, paths, missing);
}

/** Has the modules loaded that a proxy mode needs. What is still lacking after that, as `kernelLack` tells it. */
export async function prepareKernel(
  mode: Needy,
  runner: Runner,
  signal: AbortSignal,
  paths: KernelPaths = thisKernel(),
): Promise<FailureFacts | undefined> {
  const lack = await kernelLack(mode, runner, signal, paths);
  if (lack !== undefined) return lack;
  const missing = missingModules(mode.kernel.modules, paths);
  if (missing.length === 0) return undefined;
  await loadModules(missing, runner, signal);
  const still = missingModules(missing, paths);
  return still.length === 0 ? undefined : moduleFacts(mode, paths, still);
}

const moduleFacts = (mode: Needy, paths: KernelPaths, missing: readonly string[]): FailureFacts =>
  facts(
    mode,
    paths,
    mode.kernel.modules.join(', '),
    `has no ${missing.join(', ')}`,
    `load them with \`sudo modprobe --all ${missing.join(' ')}\`, or run it on a kernel that has them`,
  );

const facts = ({ name }: Needy, paths: KernelPaths, needs: string, found: string, remedy: string): FailureFacts => ({
  expected: `the kernel has what proxy mode ${name} needs: ${needs}`,
  found: `kernel ${paths.release} ${found}`,
  remedy: `${remedy}, or leave the mode out`,
});

/** Whether `5.4.0-150-generic` is older than `5.13`. */
function isOlder(found: string, least: string): boolean {
  const [a = [], b = []] = [found, least].map((text) => (/^\d+(\.\d+)*/.exec(text)?.[0] ?? '').split('.').map(Number));
  for (const [index, number] of b.entries()) {
    const own = a[index] ?? 0;
    if (own !== number) return own < number;
  }
  return false;
}
