import { Command, CommanderError } from 'commander';
import { ActionableError, describeError, errorsOf, firstErrorOf } from '../domain/errors.ts';
import { addAa } from './commands/aa.ts';
import { addAggregate } from './commands/aggregate.ts';
import { addCharts } from './commands/charts.ts';
import { addClean } from './commands/clean.ts';
import { addCompare } from './commands/compare.ts';
import { addDemo } from './commands/demo.ts';
import { addDoctor } from './commands/doctor.ts';
import { addExplain } from './commands/explain.ts';
import { addPlan } from './commands/plan.ts';
import { addProbeImage } from './commands/probe-image.ts';
import { addReport } from './commands/report.ts';
import { addRun } from './commands/run.ts';
import { addSchema } from './commands/schema.ts';
import { shown } from '../domain/printable.ts';
import type { Action, CliContext } from './context.ts';
import { exitStatuses, exitStatusMeanings, interruptedStatus, statusOfError } from '../assembly/exit-status.ts';
import { abortOnSignals, Interruption } from './interruption.ts';
import { toolVersion } from '../assembly/tool-record.ts';

/** Hands a command's work to whoever runs the program. */
export type Perform = (action: Action) => void;

const statusTable = [
  ...Object.entries(exitStatusMeanings).map(([name, meaning]) => {
    const status = exitStatuses[name as keyof typeof exitStatuses];
    return `  ${String(status).padEnd(4)} ${meaning}`;
  }),
  '  130  interrupted by SIGINT (143: by SIGTERM), after removing what was made; `run --resume` goes on',
].join('\n');

/** Parses the command line, does what it says, and gives the exit status. Nothing else decides it. */
export async function runProgram(argv: readonly string[], context: CliContext): Promise<number> {
  let action: Action | undefined;
  const program = createProgram(context, (chosen) => (action = chosen));
  try {
    program.parse(argv);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // help and version are answers; everything else commander throws is a bad command line
    return error.exitCode === 0 ? exitStatuses.asExpected : exitStatuses.badInput;
  }
  return action === undefined ? exitStatuses.badInput : perform(action, context);
}

async function perform(action: Action, { stderr }: CliContext): Promise<number> {
  using interruption = abortOnSignals((text) => void stderr.write(`drainwatch: ${text}\n`));
  try {
    return await action(interruption.signal);
  } catch (error) {
    const { reason } = interruption.signal as { readonly reason: unknown };
    if (!(reason instanceof Interruption)) {
      stderr.write(`drainwatch: ${worded(error)}\n`);
      return statusOfError(error);
    }
    // the abort is the answer to a signal; whatever else went wrong on the way out must not be lost in it
    for (const other of errorsOf(error).filter((each) => !isAbort(each, reason)))
      stderr.write(`drainwatch: ${worded(other)}\n`);
    return interruptedStatus(reason.signal);
  }
}

/** A defect is worth its stack; what a reader can act on is one line. */
const worded = (error: unknown): string =>
  firstErrorOf(error) instanceof ActionableError || !(error instanceof Error)
    ? describeError(error)
    : (error.stack ?? error.message);

/** The reason itself, or what Node's own interfaces reject with in its place. */
const isAbort = (error: unknown, reason: unknown): boolean =>
  error === reason || (error instanceof Error && error.name === 'AbortError');

/** A complaint repeats what was typed, which may be anything; the rest of what commander writes is this program's own. */
const errorLine = (text: string): string => `drainwatch: ${shown(text.slice('error: '.length), 300)}\n`;

function createProgram(context: CliContext, perform: Perform): Command {
  const program = new Command('drainwatch')
    .description('Measures what really happens to live connections when Kubernetes ends a pod.')
    .version(toolVersion)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void context.stdout.write(text),
      writeErr: (text) => void context.stderr.write(text.startsWith('error: ') ? errorLine(text) : text),
    })
    .showHelpAfterError('(see --help)')
    .addHelpText('after', `\nExit status:\n${statusTable}`);
  for (const add of [
    addDemo,
    addRun,
    addPlan,
    addAggregate,
    addReport,
    addExplain,
    addCompare,
    addAa,
    addCharts,
    addDoctor,
    addClean,
    addProbeImage,
    addSchema,
  ]) {
    add(program, context, perform);
  }
  return program;
}
