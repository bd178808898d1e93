import * as z from 'zod';
import type { RunManifest } from '../report/manifest.ts';
import type { ProviderOptions } from './providers.ts';

/** Where a run's workloads run. */
export interface RunOptions extends ProviderOptions {
  /** A provider's name, or `auto`. */
  readonly provider: string;
  readonly nodeImage?: string;
  readonly workers: number;
}

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
  ciliumManifest: z.string().exactOptional(),
  emulated: z.boolean().exactOptional(),
  port: z.number().exactOptional(),
});

export const manifestOptions = (options: RunOptions): RunManifest['options'] => storedOptions.parse(options);

export const optionsOfManifest = ({ options, provider }: RunManifest): RunOptions => ({
  provider,
  ...storedOptions.parse(options),
});

export const clusterOptions = ({ nodeImage, workers }: RunOptions) => ({
  workers,
  ...(nodeImage === undefined ? {} : { nodeImage }),
});
