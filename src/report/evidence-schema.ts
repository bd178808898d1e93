import { z } from 'zod';
import type { Committed } from '../domain/event.ts';
import type { CommittedName, ConntrackDestroyer, PacketSender, PacketSighting, ProxyWork } from '../domain/evidence.ts';
import { causes, type CauseEvidence, type Detection, type Disagreement, type FlowCause } from '../domain/flow-cause.ts';
import { notMeasured, type Measured } from '../domain/measured.ts';
import type {
  ClearedEntries,
  CommitsSeen,
  ConntrackSeen,
  PacketsSeen,
  PlacedCommit,
  PlacedRuleChange,
  PlacedRuntimeStep,
  TrialEvidence,
} from '../domain/trial-evidence.ts';
import { countSchema, measuredSchema, textSchema, timelinePointSchema } from './measured-schema.ts';

const older = 'the report is older than this measurement';

const tMs = z.number();
const protocol = z.enum(['tcp', 'udp']);

const packetKindSchema = z.enum(['fin', 'rst', 'icmp-unreachable', 'answer']) satisfies z.ZodType<
  PacketSighting['kind']
>;
export const packetSenderSchema = z.enum(['pod', 'node', 'client', 'elsewhere']) satisfies z.ZodType<PacketSender>;

const destroyerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('kernel') }),
  z.strictObject({ kind: z.literal('user-space'), program: textSchema.nullable() }),
]) satisfies z.ZodType<ConntrackDestroyer>;

const causeEvidenceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('packet'), packet: packetKindSchema, sender: packetSenderSchema, tMs }),
  z.strictObject({
    kind: z.literal('entry-destroyed'),
    backend: textSchema,
    by: destroyerSchema,
    tMs: tMs.nullable(),
  }),
  z.strictObject({ kind: z.literal('entry-created'), backend: textSchema, tMs: tMs.nullable() }),
  z.strictObject({ kind: z.literal('entry-alive'), backend: textSchema }),
  z.strictObject({ kind: z.literal('container-killed') }),
  z.strictObject({ kind: z.literal('other-flow-refused'), sender: packetSenderSchema, tMs }),
]) satisfies z.ZodType<CauseEvidence>;

const disagreementSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('told-before-packet'), toldMs: tMs, packetMs: tMs }),
  z.strictObject({ kind: z.literal('answered-before-entry'), answeredMs: tMs, createdMs: tMs }),
  z.strictObject({ kind: z.literal('created-before-destroyed'), createdMs: tMs, destroyedMs: tMs }),
  z.strictObject({ kind: z.literal('no-such-packet'), packet: packetKindSchema }),
]) satisfies z.ZodType<Disagreement>;

export const causeNameSchema = z.enum(causes);

/** Of a flow. */
export const causeSchema = z.strictObject({
  cause: causeNameSchema,
  evidence: z.array(causeEvidenceSchema),
  disagreements: z.array(disagreementSchema),
}) satisfies z.ZodType<FlowCause>;

/** Of a flow. */
export const detectionSchema = z.strictObject({
  packet: packetKindSchema,
  packetAt: timelinePointSchema,
  toldMs: tMs,
}) satisfies z.ZodType<Detection>;

/** Of an event. */
export const committedSchema = z.strictObject({
  at: timelinePointSchema,
  by: textSchema,
}) satisfies z.ZodType<Committed>;

const committedNameSchema = z.enum([
  'pod-terminating',
  'pod-ready',
  'pod-not-ready',
  'container-terminated',
  'pod-deleted',
  'endpoint-ready',
  'endpoint-not-ready',
  'endpoint-removed',
]) satisfies z.ZodType<CommittedName>;

const placedCommitSchema = z.strictObject({
  name: committedNameSchema,
  pod: textSchema,
  by: textSchema,
  at: timelinePointSchema,
}) satisfies z.ZodType<PlacedCommit>;

const commitsSchema = z.strictObject({
  commits: countSchema,
  unreceived: z.array(placedCommitSchema),
}) satisfies z.ZodType<CommitsSeen>;

const clearedSchema = z.strictObject({
  protocol,
  by: destroyerSchema,
  entries: countSchema,
  first: timelinePointSchema.nullable(),
  last: timelinePointSchema.nullable(),
}) satisfies z.ZodType<ClearedEntries>;

const conntrackSchema = z.strictObject({
  entries: countSchema,
  cleared: z.array(clearedSchema),
}) satisfies z.ZodType<ConntrackSeen>;

const ruleChangeSchema = z.strictObject({
  change: z.enum(['pod-reachable', 'pod-unreachable']),
  protocol,
  at: timelinePointSchema,
}) satisfies z.ZodType<PlacedRuleChange>;

const at = timelinePointSchema;
const runtimeStepSchema = z.discriminatedUnion('step', [
  z.strictObject({ step: z.literal('stop-requested'), gracePeriodSeconds: countSchema, at }),
  z.strictObject({ step: z.literal('signal-sent'), signal: textSchema, at }),
  z.strictObject({ step: z.literal('kill-sent'), at }),
  z.strictObject({ step: z.literal('exited'), exitCode: countSchema, at }),
  z.strictObject({ step: z.literal('stop-answered'), at }),
]) satisfies z.ZodType<PlacedRuntimeStep>;

const proxyWorkSchema = z.strictObject({
  seconds: z.number().min(0),
  syncs: z.strictObject({ count: countSchema, totalMs: z.number().min(0) }),
  entriesDeleted: countSchema.nullable(),
}) satisfies z.ZodType<ProxyWork>;

const packetsSchema = z.strictObject({
  fin: countSchema,
  rst: countSchema,
  'icmp-unreachable': countSchema,
  answer: countSchema,
}) satisfies z.ZodType<PacketsSeen>;

const trialEvidenceSchema = z.strictObject({
  commits: measuredSchema(commitsSchema),
  runtime: measuredSchema(z.array(runtimeStepSchema)).default(notMeasured(older)),
  conntrack: measuredSchema(conntrackSchema),
  rules: measuredSchema(z.array(ruleChangeSchema)),
  kubeProxy: measuredSchema(proxyWorkSchema).default(notMeasured(older)),
  packets: measuredSchema(packetsSchema),
  costs: measuredSchema(z.record(textSchema, z.number().min(0))),
}) satisfies z.ZodType<TrialEvidence>;

/** Of a trial; earlier trials collected none. */
export const evidenceSchema = measuredSchema(trialEvidenceSchema).default(notMeasured(older)) satisfies z.ZodType<
  Measured<TrialEvidence>
>;
