import type { ConntrackDestroyer } from '../domain/evidence.ts';
import type { Flow } from '../domain/flow.ts';

/** Columns of why a flow ended and of the packets that told of it. Times in milliseconds after the trigger. */
export const causeColumns: readonly string[] = [
  'cause',
  'packet',
  'packetSender',
  'packetMs',
  'toldMs',
  'answerPacketMs',
  'entryDestroyedBy',
  'entryDestroyedMs',
  'entryCreatedMs',
  'disagreements',
];

/** Empty where no evidence was collected, or none of that kind. */
export function causeCells({
  cause,
  detections,
}: Pick<Flow, 'cause' | 'detections'>): readonly (string | number | null)[] {
  const ending = detections.find(({ packet }) => packet !== 'answer');
  const answer = detections.find(({ packet }) => packet === 'answer');
  const evidence = cause?.evidence ?? [];
  const packet = evidence.find((one) => one.kind === 'packet');
  const destroyed = evidence.find((one) => one.kind === 'entry-destroyed');
  const created = evidence.find((one) => one.kind === 'entry-created');
  return [
    cause?.cause ?? null,
    ending?.packet ?? packet?.packet ?? null,
    packet?.sender ?? null,
    ending?.packetAt.tMs ?? packet?.tMs ?? null,
    ending?.toldMs ?? null,
    answer?.packetAt.tMs ?? null,
    destroyed === undefined ? null : destroyerName(destroyed.by),
    destroyed?.tMs ?? null,
    created?.tMs ?? null,
    cause === null || cause.disagreements.length === 0 ? null : cause.disagreements.map(({ kind }) => kind).join(' '),
  ];
}

/** As `kernel`, `kube-proxy`, or `user-space` for a program that was not found. */
const destroyerName = (by: ConntrackDestroyer): string =>
  by.kind === 'kernel' ? 'kernel' : (by.program ?? 'user-space');
