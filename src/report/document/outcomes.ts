import type { Aggregate, ArmAggregate, OutcomeCount } from '../../domain/aggregate.ts';
import { armLabeller, completeArms } from '../../domain/arm-labels.ts';
import { outcomeWords } from '../../domain/outcome-words.ts';
import type { Expectation } from '../../domain/scenario.ts';
import { causeLines } from '../causes.ts';
import { expectationOf } from '../expectation-of.ts';
import { findings } from '../findings.ts';
import { Footnotes } from '../footnotes.ts';
import { plural } from '../format.ts';
import { exitCodes, tcpCell, udpCell, verdictMarks } from '../outcome-table.ts';
import { absentArms, failedAttempts } from '../table.ts';
import { clip, list, longestCell, paragraph, strong, type Block, type Line } from './model.ts';

/** What became of the flows, an arm a row; under it everything that stands against the run. */
export function outcomes(aggregate: Aggregate, { most }: { readonly most: number }): readonly Block[] {
  const { flows } = aggregate.matrix;
  const notes = new Footnotes();
  const label = armLabeller(aggregate);
  const arms = completeArms(aggregate);
  const rows = arms.slice(0, most).map((arm) => rowOf(arm, aggregate, label(arm), notes));
  const table: Block = {
    kind: 'table',
    caption: 'What became of the flows',
    captionRepeats: true,
    columns: [
      'how the pod was ended',
      `TCP, ${plural(flows.tcp, 'flow')}: last end`,
      `UDP, ${plural(flows.udp, 'flow')}: first end`,
      'exit',
    ],
    rows,
  };
  return [
    ...(arms.length === 0 ? paragraph(['No arm is complete: there is nothing to average.']) : [table]),
    ...paragraph(arms.length > most ? [`${plural(arms.length - most, 'more arm')} in the full report.`] : []),
    ...paragraph(capped(notes.lines(), most)),
    ...list(capped(causeLines(aggregate, label), most)),
    ...list(
      capped(
        [
          ...findings(aggregate, label).map(({ severity, text }) => `${severity === 'error' ? '✗' : '!'} ${text}`),
          ...absentArms(aggregate, label),
          ...failedAttempts(aggregate),
        ],
        most,
      ),
    ),
  ];
}

function rowOf(
  arm: ArmAggregate,
  { environment }: Pick<Aggregate, 'environment'>,
  label: string,
  notes: Footnotes,
): readonly Line[] {
  const expected = arm.verdict === 'not-as-expected' ? expectations(arm, environment) : { tcp: '', exit: '' };
  const name = clip(`${verdictMarks[arm.verdict]} ${label}`, longestCell);
  return [
    [arm.verdict === 'not-as-expected' ? strong(name) : name],
    [clip(tcpCell(arm, notes), longestCell), ...emphasized(expected.tcp)],
    [clip(udpCell(arm, notes), longestCell)],
    [clip(exitCodes(arm, notes), longestCell), ...emphasized(expected.exit)],
  ];
}

const emphasized = (text: string): Line => (text === '' ? [] : [' ', strong(text)]);

/** What was expected of an arm in the places where it went otherwise; nothing for a scenario of another version. */
function expectations(
  { arm, trials }: ArmAggregate,
  environment: Aggregate['environment'],
): { readonly tcp: string; readonly exit: string } {
  const expects = expectationOf(arm, environment);
  if (expects === undefined) return { tcp: '', exit: '' };
  const names = expectedOutcomes(expects);
  const meets = ({ outcome }: OutcomeCount) => names.includes(outcome);
  const tcpMet = trials.every(({ tcp }) => tcp.every(meets));
  const exitMet = trials.every(({ exitCode }) => exitCode.status === 'measured' && exitCode.value === expects.exitCode);
  return {
    tcp: tcpMet ? '' : `(expected: all ${names.map(outcomeWords).join(' or ')})`,
    exit: exitMet ? '' : `(expected: ${expects.exitCode})`,
  };
}

/** As `outcomeName` names them. */
const expectedOutcomes = ({ tcp }: Expectation): readonly string[] =>
  [tcp, ...(tcp.or === undefined ? [] : [tcp.or])].flatMap(({ kind, by }) =>
    by === undefined ? [kind] : by.map((one) => `${kind} (${one})`),
  );

/** The first lines, and how many more there are. */
function capped(lines: readonly string[], most: number): readonly string[] {
  const shown = lines.slice(0, most).map((line) => clip(line, 2 * longestCell));
  return lines.length > most ? [...shown, `${lines.length - most} more in the full report`] : shown;
}
