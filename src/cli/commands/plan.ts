import type { Command } from 'commander';
import { requirements } from '../../domain/scenario.ts';
import { planExperiment, type Plan } from '../../experiment/plan.ts';
import type { CliContext } from '../context.ts';
import { examples } from '../examples.ts';
import { exitStatuses } from '../exit-status.ts';
import { addMatrixOptions, readMatrix, type MatrixOptions } from '../matrix-options.ts';
import { plugIns } from '../plug-ins.ts';
import type { Perform } from '../program.ts';
import { duration } from '../progress-words.ts';

/** A plan is about the experiment: it asks no provider, so that it can be made anywhere. */
const anyProvider = { name: 'any', capabilities: new Set(requirements) };

export function addPlan(program: Command, context: CliContext, perform: Perform): void {
  addMatrixOptions(program.command('plan'))
    .description('show the arms, trials and least duration of a matrix; nothing is run')
    .option('--json', 'print the plan as JSON')
    .addHelpText(
      'after',
      examples(
        ['drainwatch plan --matrix standard', 'the published experiment'],
        ['drainwatch plan --repeats 3 --json', 'for a program'],
      ),
    )
    .action((options: MatrixOptions & { readonly json?: boolean }) => {
      perform(async () => {
        const plan = planExperiment(await readMatrix(options, 'standard', context.files), anyProvider, plugIns);
        context.stdout.write(options.json === true ? `${JSON.stringify(planFacts(plan), null, 2)}\n` : planText(plan));
        return exitStatuses.asExpected;
      });
    });
}

const planFacts = ({ matrix, arms, groups, trials, floorSeconds }: Plan) => ({
  matrix,
  arms: arms.map(({ arm, scenario }) => ({ ...arm, label: scenario.label, expects: scenario.expects })),
  clusters: groups.map((group) => group.arms.map(({ arm }) => arm.id)),
  trials,
  floorSeconds,
});

function planText({ matrix, arms, groups, trials, floorSeconds }: Plan): string {
  const lines = [
    `${matrix.name}: ${matrix.description}`,
    ...arms.map(({ arm, scenario }) => `  ${arm.id.padEnd(28)} ${scenario.summary}`),
    `${arms.length} arms x ${matrix.repeats} = ${trials} trials on ${groups.length === 1 ? 'one cluster' : `${groups.length} clusters`};` +
      ` the waiting alone takes ${duration(floorSeconds)}`,
  ];
  return `${lines.join('\n')}\n`;
}
