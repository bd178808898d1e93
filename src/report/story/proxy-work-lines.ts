import { valueOf } from '../../domain/measured.ts';
import { observed } from '../../domain/observed-evidence.ts';
import type { Trial } from '../../domain/trial.ts';
import { plural } from '../format.ts';

/** What kube-proxy counted of its own work while the trial was observed, from before its flows were opened. */
export function proxyWorkLines(trial: Trial): readonly string[] {
  const work = valueOf(observed(trial, 'kubeProxy'));
  if (work === undefined) return [];
  const { seconds, syncs, entriesDeleted } = work;
  const mean = syncs.count === 0 ? '' : `, ${(syncs.totalMs / syncs.count).toFixed(0)} ms each on average`;
  const deleted =
    entriesDeleted === null
      ? ''
      : `, and deleted ${entriesDeleted} conntrack ${entriesDeleted === 1 ? 'entry' : 'entries'}`;
  const others = trial.isolation.lanes > 1 ? '; trials beside this one had their share in that' : '';
  return [
    `In ${seconds.toFixed(0)} s kube-proxy wrote its rules ${plural(syncs.count, 'time')}${mean}${deleted}${others}`,
  ];
}
