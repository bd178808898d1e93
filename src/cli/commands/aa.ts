import { InvalidArgumentError, type Command } from 'commander';
import { proveConcurrency, type AaOptions } from '../../assembly/aa.ts';
import { defaultFolder } from '../../assembly/carry-out.ts';
import { comparisonStatuses, comparisonStatusHelp } from '../../assembly/comparison-status.ts';
import { openSession } from '../../assembly/session.ts';
import type { AaResult } from '../../domain/aa-result.ts';
import { aaHeadline, aaLevelLines, pooledLines } from '../../report/comparison/aa-markdown.ts';
import type { CliContext } from '../context.ts';
import { examples } from '../examples.ts';
import { addMatrixOptions } from '../matrix-options.ts';
import { list, wholeNumber } from '../number-options.ts';
import { createProgressView } from '../progress-view.ts';
import type { Perform } from '../program.ts';
import { addProviderOptions } from '../provider-options.ts';
import { showComparison } from '../show-comparison.ts';

interface AaCommandOptions extends AaOptions {
  readonly output?: string;
  readonly json?: boolean;
}

export function addAa(program: Command, context: CliContext, perform: Perform): void {
  addProviderOptions(addMatrixOptions(program.command('aa')))
    .description(
      'show whether concurrent trials move any number: run a matrix at several levels of concurrency, in turns on one ' +
        'cluster, and compare each level with the first',
    )
    .option('--levels <n,n…>', 'trials at once, a level each; the first is the reference', levels, [1, 5])
    .option('-o, --output <folder>', 'where results go: a new or empty folder (default: drainwatch-results/<run>)')
    .option('--json', 'print the result as JSON instead of tables')
    .addHelpText(
      'after',
      `${comparisonStatusHelp}\n${examples(
        ['drainwatch aa --levels 1,5,10 --repeats 10', 'how many trials a kind cluster on this machine bears'],
        ['drainwatch aa --provider local --levels 1,2 --grace-period 8', 'the same on plain processes'],
      )}`,
    )
    .action((options: AaCommandOptions) => {
      perform(async (signal) => {
        using view = createProgressView(context.stderr);
        const session = await openSession(context.files, view.notice);
        const outputOf = (run: string) => options.output ?? defaultFolder(`${run}-aa`);
        const result = await proveConcurrency({ options, outputOf, session, onProgress: view.show }, signal);
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

function levels(text: string): readonly number[] {
  const numbers = list(text).map(wholeNumber(1, 50));
  if (new Set(numbers).size !== numbers.length) throw new InvalidArgumentError('Expected each level once.');
  return numbers;
}
