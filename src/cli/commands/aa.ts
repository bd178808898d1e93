import { InvalidArgumentError, Option, type Command } from 'commander';
import { compareLevels, type AaRequest } from '../../assembly/aa.ts';
import type { Variation } from '../../assembly/aa-levels.ts';
import { defaultFolder } from '../../assembly/carry-out.ts';
import { comparisonStatuses, comparisonStatusHelp } from '../../assembly/comparison-status.ts';
import { openSession } from '../../assembly/session.ts';
import type { AaResult } from '../../domain/aa-result.ts';
import { optionalObservations, type OptionalObservation } from '../../domain/optional-observation.ts';
import { aaHeadline, aaLevelLines, pooledLines } from '../../report/comparison/aa-markdown.ts';
import type { CliContext } from '../context.ts';
import { examples } from '../examples.ts';
import { addMatrixOptions } from '../matrix-options.ts';
import { list, wholeNumber } from '../number-options.ts';
import { createProgressView } from '../progress-view.ts';
import type { Perform } from '../program.ts';
import { addProviderOptions } from '../provider-options.ts';
import { showComparison } from '../show-comparison.ts';

type AaCommandOptions = AaRequest['options'] & {
  readonly levels: readonly number[];
  readonly observing?: readonly (readonly OptionalObservation[])[];
  readonly output?: string;
  readonly json?: boolean;
};

export function addAa(program: Command, context: CliContext, perform: Perform): void {
  addProviderOptions(addMatrixOptions(program.command('aa')))
    .description(
      'show whether concurrent trials, or observing them, move any number: run a matrix at several levels of ' +
        'concurrency or of observing, in turns on one cluster, and compare each level with the first',
    )
    .option('--levels <n,n…>', 'trials at once, a level each; the first is the reference', levels, [1, 5])
    .addOption(
      new Option(
        '--observing <set,set…>',
        'instead of --levels, a level each: off, evidence, new-connections (every 10 ms, or --new-connections), or some joined by +; the first is the reference',
      )
        .argParser(observing)
        .conflicts(['levels', 'evidence']),
    )
    .option('-o, --output <folder>', 'where results go: a new or empty folder (default: drainwatch-results/<run>)')
    .option('--json', 'print the result as JSON instead of tables')
    .addHelpText(
      'after',
      `${comparisonStatusHelp}\n${examples(
        ['drainwatch aa --levels 1,5,10 --repeats 10', 'how many trials a kind cluster on this machine bears'],
        ['drainwatch aa --observing off,evidence --repeats 8', 'whether collecting evidence moves any number'],
        ['drainwatch aa --provider local --levels 1,2 --grace-period 8', 'the same on plain processes'],
      )}`,
    )
    .action((options: AaCommandOptions) => {
      perform(async (signal) => {
        using view = createProgressView(context.stderr);
        const session = await openSession(context.files, view.notice);
        const outputOf = (run: string) => options.output ?? defaultFolder(`${run}-aa`);
        const request = { options, variation: variationOf(options), outputOf, session, onProgress: view.show };
        const result = await compareLevels(request, signal);
        view[Symbol.dispose]();
        showResult(result, context.stdout, options.json === true);
        return comparisonStatuses[result.finding];
      });
    });
}

function showResult(result: AaResult, stdout: NodeJS.WriteStream, json: boolean): void {
  if (json) {
    stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    return;
  }
  stdout.write(`${[aaHeadline(result), ...aaLevelLines(result)].join('\n')}\n`);
  const width = stdout.isTTY ? stdout.columns : 120;
  for (const level of result.comparisons) {
    stdout.write(`\n${pooledLines(level, width).join('\n')}\n\n`);
    showComparison(level.comparison, stdout, 'table');
  }
}

const variationOf = ({ levels: lanes, observing: sets }: AaCommandOptions): Variation =>
  sets === undefined ? { varied: 'lanes', lanes } : { varied: 'observing', observing: sets };

function levels(text: string): readonly number[] {
  const numbers = list(text).map(wholeNumber(1, 50));
  if (new Set(numbers).size !== numbers.length) throw new InvalidArgumentError('Expected each level once.');
  return numbers;
}

/** As `off,evidence,evidence+new-connections`: what is observed at each level. */
function observing(text: string): readonly (readonly OptionalObservation[])[] {
  const sets = list(text).map((set) => (set === 'off' ? [] : set.split('+').map(observation)));
  const names = sets.map((set) => set.toSorted().join('+'));
  const isTwice = new Set(names).size !== names.length || sets.some((set) => new Set(set).size !== set.length);
  if (isTwice) throw new InvalidArgumentError('Expected each level, and each observation in it, once.');
  return sets;
}

function observation(name: string): OptionalObservation {
  const known = optionalObservations.find((each) => each === name);
  if (known !== undefined) return known;
  throw new InvalidArgumentError(`Expected off, or one or more of ${optionalObservations.join(', ')} joined by +.`);
}
