import { resolve } from 'node:path';
import * as core from '@actions/core';
import type { BundledFiles } from '../assembly/bundled-files.ts';
import { planOfStoredRun } from '../assembly/prepare-run.ts';
import { openSession } from '../assembly/session.ts';
import { sumUp } from '../assembly/sum-up.ts';
import type { Aggregate } from '../domain/aggregate.ts';
import { inputError } from '../domain/errors.ts';
import { notMeasured } from '../domain/measured.ts';
import { openRunFolder } from '../report/store.ts';
import { abortOnCancel } from './cancellation.ts';
import { githubClient } from './github-client.ts';
import { createJournal, type Journal } from './journal.ts';
import { publish } from './publish.ts';
import { readReportInputs, type ReportInputs } from './report-inputs.ts';
import { maskToken, warnOfEvent } from './run-main.ts';
import { readRunnerContext, type RunnerContext } from './runner-context.ts';
import { concludeStep, failStep } from './step-failure.ts';
import { targetOf } from './target.ts';
import { triggeringResults } from './triggering-results.ts';

interface Work {
  readonly inputs: ReportInputs;
  readonly runner: RunnerContext;
  readonly files: BundledFiles;
  readonly journal: Journal;
}

/** The step of report/action.yml: tells of stored results. Never rejects: what goes wrong fails the step. */
export async function runReport(files: BundledFiles): Promise<void> {
  const journal = createJournal();
  using cancel = abortOnCancel(journal.write);
  try {
    const inputs = readReportInputs(core.getInput);
    const work: Work = { inputs, runner: readRunnerContext(process.env), files, journal };
    maskToken(inputs);
    warnOfEvent(work.runner, journal);
    const { source } = inputs;
    const aggregate =
      source.kind === 'folder'
        ? await reportFolder(source.path, work, cancel.signal)
        : await reportTriggeringRun(source, work, cancel.signal);
    if (aggregate !== undefined) concludeStep(aggregate, inputs.publication.failOn);
  } catch (error) {
    failStep(error, journal);
  }
}

async function reportFolder(path: string, work: Work, signal: AbortSignal): Promise<Aggregate> {
  const { inputs, runner, files, journal } = work;
  const folder = await openRunFolder(resolve(runner.workspace, path));
  const session = await openSession(files, journal.write);
  const aggregate = await folder
    .readAggregate()
    .catch(() => sumUp(folder, planOfStoredRun(folder, session), notMeasured('the run was interrupted')));
  const target = targetOf(runner.event);
  const github = githubClient(inputs.publication, runner, journal);
  core.setOutput('pull-request', target.pullRequest === null ? '' : String(target.pullRequest));
  await publish(
    {
      ...{ aggregate, folder, target, github, runner, files, journal },
      inputs: inputs.publication,
      setOutput: core.setOutput,
      uploads: inputs.publication.artifact,
    },
    signal,
  );
  return aggregate;
}

/** Undefined when there is nothing to judge this workflow by: a fork's results are its own affair. */
async function reportTriggeringRun(
  source: Extract<ReportInputs['source'], { kind: 'triggering-run' }>,
  { inputs, runner, files, journal }: Work,
  signal: AbortSignal,
): Promise<Aggregate | undefined> {
  const github = githubClient(inputs.publication, runner, journal);
  if (github === null) {
    throw inputError({
      expected: 'a token that can read artifacts',
      found: 'input `github-token` is empty',
      remedy: 'leave it out, so that it is the job’s own',
    });
  }
  const session = await openSession(files, journal.write);
  const request = { source, artifactName: inputs.publication.artifactName, runner, github, session };
  const results = await journal.group('Triggering run', () => triggeringResults(request, signal));
  if (results.status === 'none') {
    journal.notice('drainwatch: nothing is reported', results.reason);
    return undefined;
  }
  const { aggregate, folder, target, run } = results;
  core.setOutput('pull-request', String(target.pullRequest));
  await publish(
    {
      ...{ aggregate, folder, target, github, runner, files, journal },
      inputs: inputs.publication,
      setOutput: core.setOutput,
      uploads: false,
      measuredBy: `${runner.serverUrl}/${runner.repository}/actions/runs/${run.id}`,
    },
    signal,
  );
  return target.isFork ? undefined : aggregate;
}
