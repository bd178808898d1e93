import type { Command } from 'commander';
import { compareRuns } from '../../assembly/compare-runs.ts';
import { comparisonStatuses, comparisonStatusHelp } from '../../assembly/comparison-status.ts';
import { inputError } from '../../domain/errors.ts';
import { openRunFolder } from '../../report/store.ts';
import type { CliContext } from '../context.ts';
import { examples } from '../examples.ts';
import { list } from '../number-options.ts';
import type { Perform } from '../program.ts';
import { showComparison } from '../show-comparison.ts';

interface CompareOptions {
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly allowDifferences?: readonly string[];
}

export function addCompare(program: Command, { stdout }: CliContext, perform: Perform): void {
  program
    .command('compare')
    .description(
      'compare two stored runs arm by arm: outcomes first, then the shift of every metric with exact intervals',
    )
    .argument('<first>', 'the folder of a run')
    .argument('<second>', 'the folder of the run that is compared with it')
    .option('--json', 'print the comparison as JSON instead of the table')
    .option('--markdown', 'print it as Markdown')
    .option(
      '--allow-differences <names>',
      'compare runs that were not measured alike in these, separated by commas, or all; a refusal names them',
      list,
    )
    .addHelpText(
      'after',
      `${comparisonStatusHelp}\n${examples(
        ['drainwatch compare before after', 'did anything change'],
        ['drainwatch compare iptables nftables --allow-differences proxy-mode', 'what a proxy mode changes'],
      )}`,
    )
    .action((first: string, second: string, options: CompareOptions) => {
      perform(async () => {
        const form = formOf(options);
        const [a, b] = [await openRunFolder(first), await openRunFolder(second)];
        const comparison = await compareRuns(
          { folder: a, name: first },
          { folder: b, name: second },
          options.allowDifferences ?? [],
        );
        showComparison(comparison, stdout, form);
        return comparisonStatuses[comparison.finding];
      });
    });
}

function formOf({ json = false, markdown = false }: CompareOptions): 'json' | 'markdown' | 'table' {
  if (json && markdown) {
    throw inputError({ expected: 'one form', found: '--json and --markdown', remedy: 'leave one out' });
  }
  return json ? 'json' : markdown ? 'markdown' : 'table';
}
