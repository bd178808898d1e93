import type { ArmAggregate, Summary } from '../domain/aggregate.ts';
import { formatSummary } from '../domain/format-ms.ts';
import type { Protocol } from '../domain/flow.ts';
import { printable } from '../domain/printable.ts';
import { metricOf } from './outcome-table.ts';
import { countText, pathRows } from './path-rows.ts';

/** A finding of an arm: what a reader must not miss, and the rest. */
export interface Sentence {
  readonly strong: string;
  readonly rest: string;
}

/**
 * The dead-endpoint window as clients that dial the node met it, beside the advertised one; undefined for an arm that
 * dialled none.
 */
export function newConnectionSentence(arm: ArmAggregate, label: string): Sentence | undefined {
  const rows = pathRows(arm).filter(({ path }) => path === 'host-node');
  if (rows.length === 0) return undefined;
  const advertised = measuredSummary(arm, 'dead-endpoint-window');
  const besides = [
    ...(advertised === undefined
      ? []
      : [`The EndpointSlice still listed the dead pod for ${formatSummary(advertised)}.`]),
    ...answersOfTerminating(rows),
  ];
  return {
    strong: `${label}: new TCP connections ${failing(arm, 'tcp')}; new UDP exchanges ${failing(arm, 'udp')}.`,
    rest: besides.map((sentence) => ` ${sentence}`).join(''),
  };
}

function failing(arm: ArmAggregate, protocol: Protocol): string {
  const window = metricOf(arm, `new-${protocol}-failure-window`);
  const summary = window?.summary;
  const first = measuredSummary(arm, `new-${protocol}-first-failure`);
  const from = first === undefined ? '' : `, starting ${formatSummary(first)} after SIGTERM`;
  if (summary?.status !== 'measured') {
    // attempts that failed to the end have a beginning, but no end
    if (first !== undefined) return `failed until the observation ended${from}`;
    return `were not measured (${printable(summary?.reason ?? 'the run is older than this metric')})`;
  }
  if (summary.value.max === 0) return 'never failed';
  return `failed for ${formatSummary(summary.value)}${from}`;
}

/** Answers of the pod after ready=false, a count a repeat: kube-proxy still sent clients to it. */
function answersOfTerminating(rows: ReturnType<typeof pathRows>): readonly string[] {
  const counts = rows.flatMap(({ protocol, answersAfterNotReady: answers }) =>
    answers.status === 'measured' && answers.value.max > 0 ? [`${countText(answers)} ${protocol.toUpperCase()}`] : [],
  );
  return counts.length === 0
    ? []
    : [`The pod still answered ${counts.join(' and ')} attempts that began after ready=false.`];
}

function measuredSummary(arm: ArmAggregate, metric: string): Summary | undefined {
  const summary = metricOf(arm, metric)?.summary;
  return summary?.status === 'measured' ? summary.value : undefined;
}
