import type { Command } from 'commander';
import type { Provider } from '../../domain/cluster.ts';
import { printable } from '../../domain/printable.ts';
import { fitMatrix } from '../../experiment/fit-matrix.ts';
import { describeExpectation } from '../../experiment/expectation.ts';
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
import { estimateSeconds } from '../../assembly/cost-estimate.ts';
import { foreseenLacks, lackLine, type ForeseenLack } from '../../assembly/foreseen-lacks.ts';
import { openSession } from '../../assembly/session.ts';
import { kernelLack } from '../../providers/kind/kernel-needs.ts';
import { proxyModes } from '../../proxy-modes/index.ts';
import { stretchedInterval } from '../../assembly/stretched-interval.ts';
import { shardsOf } from '../../assembly/shards.ts';

export function addPlan(program: Command, context: CliContext, perform: Perform): void {
  addMatrixOptions(program.command('plan'))
    .description(
      'show the arms, trials and duration of a matrix, and which proxy modes this machine lacks; nothing is run',
    )
    .option('--json', 'print the plan as JSON')
    .addHelpText(
      'after',
      examples(
        ['drainwatch plan --matrix standard', 'the published experiment'],
        ['drainwatch plan --repeats 3 --json', 'for a program'],
      ),
    )
    .action((options: MatrixFactors & { readonly json?: boolean }) => {
      perform(async (signal) => {
        // it asks no provider, so that a plan can be made anywhere
        const matrix = await readMatrix(options, 'standard', context.files);
        const fitted = fitMatrix(matrix, anyProvider, { proxyModes: true, kubernetesVersions: true });
        const plan = planExperiment(fitted, anyProvider, plugIns);
        const lacks = await kernelLacks(plan, context, signal);
        const facts = () => `${JSON.stringify(planFacts(plan, lacks), null, 2)}\n`;
        context.stdout.write(options.json === true ? facts() : planText(plan, lacks));
        return exitStatuses.asExpected;
      });
    });
}

/** What kind clusters on this machine would lack: its kernel alone is asked, which needs neither Docker nor Helm. */
async function kernelLacks(plan: Plan, { files }: CliContext, signal: AbortSignal): Promise<readonly ForeseenLack[]> {
  const { runner } = (await openSession(files, () => undefined)).providerContext;
  const provider: Pick<Provider, 'lack'> = {
    lack: ({ proxyMode }) => (proxyMode === undefined ? none : kernelLack(proxyModes.get(proxyMode), runner, signal)),
  };
  return foreseenLacks(plan, provider, { workers: 1 }, signal);
}
const none = Promise.resolve(undefined);

const planFacts = (plan: Plan, lacks: readonly ForeseenLack[]) => ({
  matrix: plan.matrix,
  arms: plan.arms.map(({ arm, scenario, expectsUnder }) => ({
    ...arm,
    label: scenario.label,
    expects: expectsUnder(arm.proxyMode),
  })),
  clusters: plan.groups.map((group) => group.arms.map(({ arm }) => arm.id)),
  trials: plan.trials,
  floorSeconds: plan.floorSeconds,
  estimateSeconds: Math.round(estimateSeconds(plan)),
  lacks: lacks.map(({ proxyMode, facts: { found, remedy } }) => ({ proxyMode, found, remedy })),
  shards: shardsOf(plan),
});

/** Arms whose pod drains in vain: a plan of them says so before anything runs. */
const lostFlows = ({ arms }: Plan): readonly string[] =>
  arms.flatMap(({ arm, scenario, expectsUnder }) => {
    const expected = describeExpectation(expectsUnder(arm.proxyMode).tcp);
    return expected === describeExpectation(scenario.expects.tcp)
      ? []
      : [`${arm.id}: held TCP flows are expected to be lost under ${arm.proxyMode ?? 'its data plane'}: ${expected}`];
  });

function planText(plan: Plan, lacks: readonly ForeseenLack[]): string {
  const { matrix, arms, groups, trials, floorSeconds, isolation } = plan;
  const stretched = stretchedInterval(plan);
  const lines = [
    `${matrix.name}: ${printable(matrix.description)}`,
    ...arms.map(({ arm, scenario }) => `  ${arm.id.padEnd(28)} ${scenario.summary}`),
    `${arms.length} arms x ${matrix.repeats} = ${trials} trials on ${groups.length === 1 ? 'one cluster' : `${groups.length} clusters`};` +
      ` the waiting alone takes ${duration(floorSeconds / isolation.lanes)}${isolation.lanes === 1 ? '' : ` in ${isolation.lanes} lanes`}`,
    `about ${duration(estimateSeconds(plan))} on kind, by what trials and clusters took on two cores`,
    ...(matrix.proxyModes.length === 0 ? [] : [`proxy modes: ${matrix.proxyModes.join(', ')}`]),
    ...lostFlows(plan),
    ...lacks.map(lackLine),
    ...(stretched === undefined ? [] : [stretched]),
  ];
  return `${lines.join('\n')}\n`;
}
