import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { inputError } from '../../domain/errors.ts';
import { printable } from '../../domain/printable.ts';
import type { Trial } from '../../domain/trial.ts';
import { readReport } from '../../report/report-file.ts';
import { openStoredRun } from '../../report/store.ts';
import { referenceText, renderStory } from '../../report/story/render-story.ts';
import { tellTrial, type Story } from '../../report/story/story.ts';
import type { CliContext } from '../context.ts';
import { examples } from '../examples.ts';
import { exitStatuses } from '../../assembly/exit-status.ts';
import type { Perform } from '../program.ts';

export function addExplain(program: Command, { stdout }: CliContext, perform: Perform): void {
  program
    .command('explain')
    .description(
      'tell a trial as a short story: what happened when, who saw it and how far that can be trusted, why flows were cut off, and what is publicly known of the like',
    )
    .argument('<path>', 'a trial’s report, or the folder of a run')
    .argument('[trial]', 'its name, as drain.iptables-03; without it the first trial of each arm')
    .option('--json', 'print the stories as JSON')
    .addHelpText(
      'after',
      examples(
        ['drainwatch explain docs/results/standard-kind-v1.34.0 drain.iptables-03', 'one trial of a committed result'],
        ['drainwatch explain docs/results/demo-local/trials/ignore/01.json', 'the report itself'],
      ),
    )
    .action((path: string, name: string | undefined, options: { readonly json?: boolean }) => {
      perform(async () => {
        const stories = (await trialsAt(path, name)).map(tellTrial);
        if (options.json === true) {
          stdout.write(`${JSON.stringify(stories.map(asData), null, 2)}\n`);
        } else {
          const width = stdout.isTTY ? stdout.columns : 100;
          const color = stdout.isTTY && process.env.NO_COLOR === undefined;
          stdout.write(stories.map((story) => renderStory(story, { width, color })).join('\n'));
        }
        return exitStatuses.asExpected;
      });
    });
}

/** What a program can read of a story. */
const asData = ({ patterns, ...story }: Story) => ({
  ...story,
  patterns: patterns.map(({ name, meaning, references }) => ({
    name,
    meaning,
    references: references.map(referenceText),
  })),
});

async function trialsAt(path: string, name: string | undefined): Promise<readonly Trial[]> {
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) return trialsOfRun(path, name);
  const { trial } = await readReport(path);
  if (name !== undefined && trial.id !== name) {
    throw inputError({
      expected: `the report of ${name}`,
      found: `${path} holds ${printable(trial.id)}`,
      remedy: 'leave the name out, or name the folder of the run',
    });
  }
  return [trial];
}

async function trialsOfRun(path: string, name: string | undefined): Promise<readonly Trial[]> {
  const run = await openStoredRun(path);
  const known: string[] = [];
  const first = new Map<string, Trial>();
  for await (const { trial } of run.readTrials()) {
    if (trial.id === name) return [trial];
    known.push(trial.id);
    if (!first.has(trial.arm.id)) first.set(trial.arm.id, trial);
  }
  if (name === undefined && first.size > 0) return [...first.values()];
  throw inputError({
    expected: name === undefined ? 'a run with a complete trial' : 'the name of a measured trial of the run',
    found: known.length === 0 ? `${path} has none` : `none is called ${name ?? ''}; there are ${known.join(', ')}`,
    remedy: known.length === 0 ? 'name a run that has trials' : 'use one of these names',
  });
}
