import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as core from '@actions/core';
import type { BundledFiles } from '../assembly/bundled-files.ts';
import type { MatrixFactors } from '../assembly/matrix-factors.ts';
import type { RunOptions } from '../assembly/run-options.ts';
import { abortOnCancel } from './cancellation.ts';
import { githubClient } from './github-client.ts';
import { readActionInputs, type ActionInputs } from './inputs.ts';
import { createJournal, type Journal } from './journal.ts';
import { kubeconfigFile } from './kubeconfig-input.ts';
import { measure } from './measure.ts';
import { publish } from './publish.ts';
import { readRunnerContext, type RunnerContext } from './runner-context.ts';
import { concludeStep, failStep } from './step-failure.ts';
import { stepState } from './step-state.ts';
import { targetOf } from './target.ts';

/** The main step: measures and tells of it. Never rejects: what goes wrong fails the step. */
export async function runMain(files: BundledFiles): Promise<void> {
  const journal = createJournal();
  using cancel = abortOnCancel(journal.write);
  try {
    stepState.set('started', 'true');
    const inputs = readActionInputs(core.getInput);
    const runner = readRunnerContext(process.env);
    maskToken(inputs);
    warnOfEvent(runner, journal);
    const options = await runOptions(inputs, runner);
    const { outputFolder, publication } = inputs;
    const result = await measure({ options, outputFolder, runner, files, journal, state: stepState }, cancel.signal);
    await publish(
      {
        ...result,
        inputs: publication,
        runner,
        target: targetOf(runner.event),
        github: githubClient(publication, runner, journal),
        files,
        journal,
        setOutput: core.setOutput,
        uploads: publication.artifact,
      },
      cancel.signal,
    );
    stepState.set('published', 'true');
    concludeStep(result.aggregate, publication.failOn);
  } catch (error) {
    failStep(error, journal);
  }
}

export function maskToken({ publication: { githubToken } }: Pick<ActionInputs, 'publication'>): void {
  if (githubToken !== undefined) core.setSecret(githubToken);
}

export function warnOfEvent({ eventProblem }: RunnerContext, journal: Journal): void {
  if (eventProblem !== null) journal.warning('drainwatch: the event is unknown', eventProblem);
}

/** The options of the run, with the kubeconfig as a file, and its secrets masked before anything can print them. */
async function runOptions(
  { run }: ActionInputs,
  { workspace, temporaryFolder }: RunnerContext,
): Promise<RunOptions & MatrixFactors> {
  if (run.kubeconfig === undefined) return run;
  const privateFolder = join(temporaryFolder, `drainwatch-kubeconfig-${randomBytes(8).toString('hex')}`);
  stepState.set('kubeconfig-folder', privateFolder);
  const { path, secrets } = await kubeconfigFile(run.kubeconfig, { workspace, privateFolder });
  for (const secret of secrets) core.setSecret(secret);
  return { ...run, kubeconfig: path };
}
