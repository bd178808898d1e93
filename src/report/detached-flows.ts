import { z } from 'zod';
import { endOf, outcomeName } from '../domain/classify.ts';
import type { Flow, Protocol } from '../domain/flow.ts';
import type { Trial, TrialReport } from '../domain/trial.ts';
import { quantilesOf, type Quantiles } from '../stats/quantiles.ts';
import { countSchema, textSchema } from './measured-schema.ts';
import { trialReportSchema, trialSchema } from './trial-schema.ts';

/** Flows of one protocol that ended in one way, among many. */
export interface FlowSummary {
  readonly protocol: Protocol;
  /** The outcome with what severed it, as `severed (rst)`. */
  readonly outcome: string;
  readonly flows: number;
  /** Of them, those that another pod answered. */
  readonly rehomed: number;
  readonly sent: number;
  readonly answered: number;
  /** Of the ends, ms after the trigger; null for an outcome that is no end. */
  readonly endsMs: Quantiles | null;
}

/** Flows that are in a file of their own beside the report, a JSON object a line. */
export interface DetachedFlows {
  /** In the folder of the report. */
  readonly file: string;
  readonly count: number;
  readonly bytes: number;
  /** Of the file, hexadecimal. */
  readonly sha256: string;
  /** Whether the timeline's events of flows are left out, as the flows tell them, or the timeline is whole. */
  readonly events: 'as-flows-tell' | 'on-timeline';
  readonly summary: readonly FlowSummary[];
}

/** A report whose flows are beside it. */
export type DetachedReport = Omit<TrialReport, 'schemaVersion' | 'trial'> & {
  readonly schemaVersion: 2;
  readonly trial: Omit<Trial, 'flows'> & { readonly flows: DetachedFlows };
};

const number = z.number();
const quantilesSchema = z.strictObject({
  min: number,
  p10: number,
  p50: number,
  p90: number,
  p99: number,
  max: number,
}) satisfies z.ZodType<Quantiles>;

const flowSummarySchema = z.strictObject({
  protocol: z.enum(['tcp', 'udp']),
  outcome: textSchema,
  flows: countSchema,
  rehomed: countSchema,
  sent: countSchema,
  answered: countSchema,
  endsMs: quantilesSchema.nullable(),
}) satisfies z.ZodType<FlowSummary>;

const detachedFlowsSchema = z.strictObject({
  // a report names no file but the one beside it
  file: z.string().regex(/^\d+(?:-\d+)?\.flows\.ndjson$/, 'the name of a file such as 01.flows.ndjson'),
  count: countSchema,
  bytes: countSchema,
  sha256: z.string().regex(/^[0-9a-f]{64}$/, '64 hexadecimal digits'),
  events: z.enum(['as-flows-tell', 'on-timeline']),
  summary: z.array(flowSummarySchema),
}) satisfies z.ZodType<DetachedFlows>;

export const detachedReportSchema = trialReportSchema.extend({
  schemaVersion: z.literal(2),
  trial: trialSchema.extend({ flows: detachedFlowsSchema }),
}) satisfies z.ZodType<DetachedReport>;

/** Counts and times by protocol and outcome, the most frequent first. */
export function summarizeFlows(flows: readonly Flow[]): readonly FlowSummary[] {
  const groups = new Map<string, Flow[]>();
  for (const flow of flows) {
    const key = `${flow.protocol} ${outcomeName(flow.outcome)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [flow]);
    else group.push(flow);
  }
  return [...groups.values()].map(summaryOf).toSorted((a, b) => b.flows - a.flows);
}

function summaryOf(flows: readonly Flow[]): FlowSummary {
  const [first] = flows;
  if (first === undefined) throw new Error('a group of flows has one at least');
  const [end, ...ends] = flows.flatMap(({ outcome }) => endOf(outcome)?.tMs ?? []);
  const total = (read: (flow: Flow) => number) => flows.reduce((sum, flow) => sum + read(flow), 0);
  return {
    protocol: first.protocol,
    outcome: outcomeName(first.outcome),
    flows: flows.length,
    rehomed: flows.filter(({ rehomed }) => rehomed !== null).length,
    sent: total(({ sent }) => sent),
    answered: total(({ answered }) => answered),
    endsMs: end === undefined ? null : quantilesOf([end, ...ends]),
  };
}
