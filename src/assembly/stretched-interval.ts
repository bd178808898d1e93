import type { Plan } from '../experiment/plan.ts';

/** Many UDP flows speak less often than was asked: what to tell of it, or undefined where they don't. */
export function stretchedInterval({ matrix, conditions }: Pick<Plan, 'matrix' | 'conditions'>): string | undefined {
  const { udpIntervalMs } = conditions;
  if (udpIntervalMs === matrix.udpIntervalMs) return undefined;
  return `${matrix.flows.udp} UDP flows: each sends every ${udpIntervalMs} ms and not every ${matrix.udpIntervalMs} ms, which is as often as so many can be held; their ends are placed that finely`;
}
