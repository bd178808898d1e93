import type { OutcomeCount, TrialSummary } from '../domain/aggregate.ts';
import { countCauses } from '../domain/cause-count.ts';
import { outcomeName } from '../domain/classify.ts';
import type { Environment } from '../domain/environment.ts';
import type { Flow, Protocol } from '../domain/flow.ts';
import { mapMeasured } from '../domain/measured.ts';
import { summarizePaths } from '../domain/path-summary.ts';
import type { TrialReport } from '../domain/trial.ts';
import { watchGapsOf } from './watch-gaps.ts';

/** What of a report the sum of a run needs: a fraction of it, so that thousands fit in memory. */
export interface TrialDigest {
  /** Identifier of the arm. */
  readonly arm: string;
  readonly repeat: number;
  /** Shared by the digests of trials with equal ones. */
  readonly environment: Environment;
  readonly metrics: TrialReport['metrics'];
  readonly summary: TrialSummary;
}

/** Makes digests of one run's reports: what they have in common is held once. */
export function createDigester(): (report: TrialReport) => TrialDigest {
  const environments = new Map<string, Environment>();
  return ({ trial, environment, metrics, unexpected, inconclusive }) => {
    const key = JSON.stringify(environment);
    const shared = environments.get(key) ?? environment;
    environments.set(key, shared);
    return {
      arm: trial.arm.id,
      repeat: trial.repeat,
      environment: shared,
      metrics,
      summary: {
        id: trial.id,
        firstOnCluster: trial.firstOnCluster,
        tcp: countOutcomes(trial.flows, 'tcp'),
        udp: countOutcomes(trial.flows, 'udp'),
        udpRehomed: trial.flows.filter((flow) => flow.protocol === 'udp' && flow.rehomed !== null).length,
        causes: countCauses(trial.flows),
        newConnections: summarizePaths(trial),
        exitCode: mapMeasured(trial.container, ({ exitCode }) => exitCode),
        clock: trial.clock.relation,
        stampDelayMs: trial.client.stampDelayMs,
        watchGaps: watchGapsOf(trial.timeline),
        unexpected,
        inconclusive,
      },
    };
  };
}

function countOutcomes(flows: readonly Flow[], protocol: Protocol): readonly OutcomeCount[] {
  const counts = new Map<string, number>();
  for (const flow of flows.filter((candidate) => candidate.protocol === protocol)) {
    const name = outcomeName(flow.outcome);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([outcome, number]) => ({ outcome, flows: number })).toSorted((a, b) => b.flows - a.flows);
}
