import type { Command } from 'commander';
import { printable } from '../../domain/printable.ts';
import { planExperiment, type Plan } from '../../experiment/plan.ts';
import type { CliContext } from '../context.ts';
import { examples } from '../examples.ts';
import { exitStatuses } from '../../assembly/exit-status.ts';
import { readMatrix, type MatrixFactors } from '../../assembly/matrix-factors.ts';
import { anyProvider } from '../../assembly/prepare-run.ts';
import { addMatrixOptions } from '../matrix-options.ts';
import { plugIns } from '../../assembly/plug-ins.ts';
import type { Perform } from '../program.ts';
import { duration } from '../../assembly/progress-words.ts';
import { stretchedInterval } from '../../assembly/stretched-interval.ts';
import { shardsOf } from '../../assembly/shards.ts';

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
    .action((options: MatrixFactors & { readonly json?: boolean }) => {
      perform(async () => {
        // it asks no provider, so that a plan can be made anywhere
        const plan = planExperiment(await readMatrix(options, 'standard', context.files), anyProvider, plugIns);
        context.stdout.write(options.json === true ? `${JSON.stringify(planFacts(plan), null, 2)}\n` : planText(plan));
        return exitStatuses.asExpected;
      });
    });
}

const planFacts = (plan: Plan) => ({
  matrix: plan.matrix,
  arms: plan.arms.map(({ arm, scenario }) => ({ ...arm, label: scenario.label, expects: scenario.expects })),
  clusters: plan.groups.map((group) => group.arms.map(({ arm }) => arm.id)),
  trials: plan.trials,
  floorSeconds: plan.floorSeconds,
  shards: shardsOf(plan),
});

function planText(plan: Plan): string {
  const { matrix, arms, groups, trials, floorSeconds, isolation } = plan;
  const stretched = stretchedInterval(plan);
  const lines = [
    `${matrix.name}: ${printable(matrix.description)}`,
    ...arms.map(({ arm, scenario }) => `  ${arm.id.padEnd(28)} ${scenario.summary}`),
    `${arms.length} arms x ${matrix.repeats} = ${trials} trials on ${groups.length === 1 ? 'one cluster' : `${groups.length} clusters`};` +
      ` the waiting alone takes ${duration(floorSeconds / isolation.lanes)}${isolation.lanes === 1 ? '' : ` in ${isolation.lanes} lanes`}`,
    ...(stretched === undefined ? [] : [stretched]),
  ];
  return `${lines.join('\n')}\n`;
}
