import { z } from 'zod';
import type { Environment, NodeRecord, ToolRecord } from '../domain/environment.ts';
import { notMeasured } from '../domain/measured.ts';
import { measuredSchema, textSchema } from './measured-schema.ts';

export const toolSchema = z.strictObject({
  version: textSchema,
  commit: textSchema,
  dirty: z.boolean(),
}) satisfies z.ZodType<ToolRecord>;

const nodeSchema = z.strictObject({
  name: textSchema,
  role: z.enum(['control-plane', 'worker']),
  kernel: z.string(),
  osImage: z.string(),
  containerRuntime: z.string(),
  kubelet: z.string(),
}) satisfies z.ZodType<NodeRecord>;

const measuredText = measuredSchema(z.string());

export const environmentSchema = z.strictObject({
  tool: toolSchema,
  provider: textSchema,
  kubernetesVersion: measuredText,
  proxyMode: measuredText,
  proxyMinSyncPeriod: measuredText,
  proxySyncPeriod: measuredText,
  cni: measuredText,
  emulated: z.boolean().exactOptional(),
  nodes: z.array(nodeSchema),
  nodesNotMeasured: textSchema.exactOptional(),
  probeImage: measuredText,
  nodeImage: measuredText,
  sysctls: measuredSchema(z.record(z.string(), z.string())),
  // runs of before it was recorded are read as well
  hostTools: measuredSchema(z.record(z.string(), z.string())).default(notMeasured('it was not recorded then')),
  client: z.strictObject({
    kernel: z.string(),
    node: z.string(),
    cpus: z.int().min(1, 'a whole number, 1 or more'),
    architecture: z.string(),
  }),
  path: z.string(),
}) satisfies z.ZodType<Environment>;
