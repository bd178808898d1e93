import type { Command } from 'commander';
import * as z from 'zod';
import { inputError } from '../domain/errors.ts';
import type { RunManifest } from '../report/manifest.ts';
import type { ProviderCommandOptions } from './provider-options.ts';

/** The options that a run needs again when it is resumed: those of its provider. The matrix is stored as it was laid out. */
const storedOptions = z.object({
  nodeImage: z.string().exactOptional(),
  workers: z.number().default(1),
  kubeconfig: z.string().exactOptional(),
  context: z.string().exactOptional(),
  namespace: z.string().exactOptional(),
  probeImage: z.string().exactOptional(),
  nodeAddress: z.string().exactOptional(),
  kindPath: z.string().exactOptional(),
  port: z.number().exactOptional(),
});

export const manifestOptions = (options: ProviderCommandOptions): RunManifest['options'] =>
  storedOptions.parse(options);

/** @throws {ActionableError} of kind `input` when the command line gives an option besides: a resumed run is the same experiment. */
export function optionsOfManifest({ options, provider }: RunManifest, command: Command): ProviderCommandOptions {
  const other = command.options.find((option) => {
    const name = option.attributeName();
    return !['resume', 'json'].includes(name) && command.getOptionValueSource(name) === 'cli';
  });
  if (other !== undefined) {
    throw inputError({
      expected: 'only --resume, and --json',
      found: `${other.long ?? other.flags} together with --resume`,
      remedy: 'leave it out: a resumed run keeps its own matrix and options',
    });
  }
  return { provider, ...storedOptions.parse(options) };
}
