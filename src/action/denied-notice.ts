import type { PartOutcome, Publication } from './publication.ts';

/** One notice for all that the token was not allowed to do, with what to do about it. */
export function noticeDenied(
  parts: ReadonlyMap<string, PartOutcome>,
  { journal, target, runner }: Pick<Publication, 'journal' | 'target' | 'runner'>,
): void {
  const denied = [...parts].flatMap(([title, outcome]) => (outcome.status === 'denied' ? [{ title, ...outcome }] : []));
  if (denied.length === 0) return;
  const what = denied.map(({ title }) => title.toLowerCase()).join(', ');
  const permissions = [...new Set(denied.map(({ permission }) => permission))].join(', ');
  const remedy =
    target.isFork && !runner.event.canWrite
      ? 'the token of a fork’s pull request is read-only: the summary and the artifact have everything, and a second workflow can comment (docs/forks.md)'
      : `the token may not: grant the job ${permissions} (docs/permissions.md), or switch it off`;
  journal.notice('drainwatch: not everything could be written', `${what}: ${remedy}`);
  for (const { title, reason } of denied) journal.write(`${title}: ${reason}`);
}
