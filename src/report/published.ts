import { z } from 'zod';
import type { Summary } from '../domain/aggregate.ts';
import { metrics } from '../metrics/index.ts';
import { scenarios } from '../scenarios/index.ts';
import { summarize } from '../stats/summarize.ts';
import { textSchema } from './measured-schema.ts';
import published from './published-2026-09-01.json' with { type: 'json' };

export interface PublishedArm {
  /** The published run's letter, as scenarios name it in `referenceArm`. */
  readonly arm: string;
  readonly gracePeriodSeconds: number;
  /** By the published run's own names, in milliseconds. */
  readonly metrics: ReadonlyMap<string, Summary>;
}

/** Numbers of the first public run of this experiment. Facts of others: `source` goes wherever they are shown. */
export interface PublishedReference {
  readonly source: string;
  readonly arms: readonly PublishedArm[];
}

const valuesSchema = z.tuple([z.number()], z.number());

const referenceSchema = z.strictObject({
  source: textSchema,
  unit: z.literal('ms'),
  arms: z.array(
    z.strictObject({
      arm: textSchema,
      gracePeriodSeconds: z.number(),
      tcpFlows: z.number(),
      udpFlows: z.number(),
      metrics: z.record(z.string(), valuesSchema),
    }),
  ),
});

/** The published run of 1 September 2026, which ships with this project. */
export function publishedReference(): PublishedReference {
  const { source, arms } = referenceSchema.parse(published);
  return {
    source,
    arms: arms.map(({ arm, gracePeriodSeconds, metrics: values }) => ({
      arm,
      gracePeriodSeconds,
      metrics: new Map(Object.entries(values).map(([name, sample]) => [name, summarize(sample)])),
    })),
  };
}

/** The arm that a scenario compares with; undefined where it was no part of the run, or the grace period differs. */
export function publishedArm(
  reference: PublishedReference,
  scenario: string,
  gracePeriodSeconds: number,
): PublishedArm | undefined {
  const letter = scenarios.find(scenario)?.referenceArm;
  return reference.arms.find((arm) => arm.arm === letter && arm.gracePeriodSeconds === gracePeriodSeconds);
}

/** The published numbers of a metric of this project; undefined where it had none. */
export function publishedSummary(arm: PublishedArm, metric: string): Summary | undefined {
  const name = [...metrics].find((candidate) => candidate.name === metric)?.publishedAs;
  return name == null ? undefined : arm.metrics.get(name);
}
