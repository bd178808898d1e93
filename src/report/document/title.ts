import type { Aggregate } from '../../domain/aggregate.ts';
import type { ToolRecord } from '../../domain/environment.ts';
import { printable } from '../../domain/printable.ts';
import { Footnotes } from '../footnotes.ts';
import { plural } from '../format.ts';
import { allAsExpected, answer, conditionsLine, driftedWords, environmentFacts } from '../headline.ts';
import type { PublishedReference } from '../published.ts';
import { unbound } from '../text-layout.ts';
import { clip, code, link, longestCell, paragraph, type Block, type Line } from './model.ts';

/** Where a run happened and where more of it is to be found. Addresses that are not http(s) are not linked. */
export interface ReportContext {
  /** `owner/name`, whose change was measured. */
  readonly repository?: string;
  readonly runUrl?: string;
  /** The commit that was measured, in full. */
  readonly headSha?: string;
  /** When the report was made: ISO 8601, UTC. */
  readonly at: string;
  readonly artifactUrl?: string;
  readonly reportUrl?: string;
}

/** The answer first, or what is wrong first. */
export function titleOf(aggregate: Aggregate): string {
  const { arms, asExpected, against, drifted, skipped, trials } = answer(aggregate);
  const ofArms = (count: number) => `${count} of ${plural(arms, 'arm')}`;
  const wrong = [
    ...against.map(({ count, what }, index) => `${index === 0 ? ofArms(count) : count} ${what}`),
    ...(drifted ? [driftedWords] : []),
  ];
  return [
    allAsExpected(aggregate) ? 'drainwatch' : '✗ drainwatch',
    ...wrong,
    `${against.length === 0 ? ofArms(asExpected) : asExpected} as expected`,
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
    trials,
  ].join(' · ');
}

/** What the numbers hold for, and where they come from. Short, whatever the cluster says of itself. */
export function circumstances(
  aggregate: Aggregate,
  context: ReportContext | undefined,
  published: PublishedReference | undefined,
): readonly Block[] {
  const notes = new Footnotes();
  const environment = clip(environmentFacts(aggregate, notes).join(' · '), 2 * longestCell);
  return paragraph([
    [environment],
    [unbound(conditionsLine(aggregate, published))],
    origin(aggregate, context),
    ...notes.lines().map((note) => clip(note, longestCell)),
  ]);
}

function origin({ environment, run }: Aggregate, context: ReportContext | undefined): Line {
  const parts: Line[] = [];
  if (context?.headSha !== undefined) {
    const repository = context.repository === undefined ? '' : `${clip(printable(context.repository), 140)} at `;
    parts.push([repository, code(clip(printable(context.headSha).slice(0, 7), 7))]);
  }
  if (environment.status === 'measured') parts.push(measuredBy(environment.value.tool));
  const links = [
    ['run', context?.runUrl],
    ['full report', context?.reportUrl],
    ['artifact', context?.artifactUrl],
  ] as const;
  for (const [text, url] of links) if (url !== undefined) parts.push([link(text, url)]);
  parts.push([context === undefined ? clip(printable(run), 100) : formatInstant(context.at)]);
  return parts.flatMap((part, index) => (index === 0 ? part : [' · ', ...part]));
}

function measuredBy({ version, commit, dirty }: ToolRecord): Line {
  const shown = /^[0-9a-f]{7,40}$/.test(commit) ? commit.slice(0, 7) : clip(printable(commit), 40);
  return [
    `measured by drainwatch ${clip(printable(version), 40)} (`,
    code(shown),
    dirty ? ' with uncommitted changes)' : ')',
  ];
}

/** As `2026-11-29 18:20 UTC`. */
export function formatInstant(at: string): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return clip(printable(at), 40);
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
