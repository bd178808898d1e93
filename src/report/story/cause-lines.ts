import { countCauses } from '../../domain/cause-count.ts';
import { causeWords } from '../../domain/cause-words.ts';
import type { Flow } from '../../domain/flow.ts';
import type { CauseEvidence, Disagreement } from '../../domain/flow-cause.ts';
import { outcomeWords } from '../../domain/outcome-words.ts';
import { plural } from '../format.ts';

/** Why flows were cut off, each cause with the evidence of its first flow, and every contradiction once a kind. */
export function causeLines(flows: readonly Flow[]): readonly string[] {
  const why = countCauses(flows).map((count) => {
    const example = flows.find((flow) => isOf(flow, count));
    const evidence = example?.cause?.evidence.map(evidenceWords) ?? [];
    const shown = evidence.length === 0 ? '' : `, as of ${example?.id ?? ''}: ${evidence.join('; ')}`;
    return `${plural(count.flows, `${count.protocol.toUpperCase()} flow`)} ${outcomeWords(count.outcome)}: ${causeWords(count)}${shown}`;
  });
  return [...why, ...contradictionLines(flows)];
}

const isOf = (flow: Flow, count: ReturnType<typeof countCauses>[number]): boolean =>
  countCauses([flow]).some(
    ({ protocol, outcome, cause, by }) =>
      protocol === count.protocol && outcome === count.outcome && cause === count.cause && by === count.by,
  );

function contradictionLines(flows: readonly Flow[]): readonly string[] {
  const first = new Map<Disagreement['kind'], string>();
  for (const { id, cause } of flows) {
    for (const disagreement of cause?.disagreements ?? []) {
      if (!first.has(disagreement.kind)) first.set(disagreement.kind, `${id}: ${disagreementWords(disagreement)}`);
    }
  }
  return [...first.values()].map((text) => `contradiction, first of ${text}`);
}

function evidenceWords(seen: CauseEvidence): string {
  switch (seen.kind) {
    case 'packet':
      return `${packetWords(seen.packet)} from ${senderWords[seen.sender]} at ${ms(seen.tMs)}`;
    case 'entry-destroyed':
      return `entry to ${seen.backend} destroyed ${seen.by.kind === 'kernel' ? 'by the kernel' : `by ${seen.by.program ?? 'a program'}`}${at(seen.tMs)}`;
    case 'entry-created':
      return `entry to ${seen.backend} created${at(seen.tMs)}`;
    case 'entry-alive':
      return `the entry still led to ${seen.backend}`;
    case 'container-killed':
      return 'the container was ended by SIGKILL';
    case 'other-flow-refused':
      return `an ICMP from ${senderWords[seen.sender]} told another flow at ${ms(seen.tMs)} that it was refused`;
    default:
      return seen satisfies never;
  }
}

function disagreementWords(disagreement: Disagreement): string {
  switch (disagreement.kind) {
    case 'told-before-packet':
      return `the client told of the end at ${ms(disagreement.toldMs)}, before the packet at ${ms(disagreement.packetMs)}`;
    case 'answered-before-entry':
      return `another pod answered at ${ms(disagreement.answeredMs)}, before an entry led there at ${ms(disagreement.createdMs)}`;
    case 'created-before-destroyed':
      return `the new entry came up at ${ms(disagreement.createdMs)}, before the old one went at ${ms(disagreement.destroyedMs)}`;
    case 'no-such-packet':
      return `no ${packetWords(disagreement.packet)} was captured, which the client told of`;
    default:
      return disagreement satisfies never;
  }
}

const packets = { fin: 'FIN', rst: 'RST', 'icmp-unreachable': 'ICMP unreachable', answer: 'answer' } as const;
const packetWords = (packet: keyof typeof packets): string => packets[packet];

const senderWords = {
  pod: 'the pod’s kernel',
  node: 'the node',
  client: 'the client',
  elsewhere: 'elsewhere',
} as const;

const ms = (tMs: number): string => `${tMs.toFixed(1).replace('-', '−')} ms`;
const at = (tMs: number | null): string => (tMs === null ? '' : ` at ${ms(tMs)}`);
