import type { Aggregate, ArmAggregate, ArmResult } from './aggregate.ts';
import { printable } from './printable.ts';

export const completeArms = ({ arms }: Aggregate): readonly ArmAggregate[] =>
  arms.filter((result) => result.status === 'complete');

/** A reader's label of an arm, with the levels of those factors that the run varies: `drains · delete · nftables`. */
export function armLabeller({ arms }: Pick<Aggregate, 'arms'>): (result: ArmResult) => string {
  const varies = (level: (result: ArmResult) => string | null) => new Set(arms.map(level)).size > 1;
  const factors = [({ arm }: ArmResult) => arm.proxyMode, ({ arm }: ArmResult) => arm.kubernetesVersion].filter(varies);
  return (result) => printable([result.label, ...factors.flatMap((level) => level(result) ?? [])].join(' · '));
}
