import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as core from '@actions/core';
import type { BundledFiles } from '../assembly/bundled-files.ts';
import { planOfStoredRun } from '../assembly/prepare-run.ts';
import { createKind } from '../assembly/providers.ts';
import { optionsOfManifest } from '../assembly/run-options.ts';
import { openSession, type Session } from '../assembly/session.ts';
import { sumUp } from '../assembly/sum-up.ts';
import { describeError } from '../domain/errors.ts';
import { notMeasured } from '../domain/measured.ts';
import { removeLeftovers } from '../kube/remove-leftovers.ts';
import type { RunFolder } from '../report/run-folder.ts';
import { openRunFolder } from '../report/store.ts';
import { readActionInputs, type ActionInputs } from './inputs.ts';
import { createJournal, type Journal } from './journal.ts';
import { clusterLogsFolder } from './measure.ts';
import { publishArtifact } from './publish-artifact.ts';
import { readRunnerContext } from './runner-context.ts';
import { stepState } from './step-state.ts';

/** GitHub gives the steps of a cancelled job five minutes. */
const limitMs = 270_000;

/**
 * Removes what the main step left because it was killed, and saves what it had measured. Where the main step ended by
 * itself there is nothing to do but to remove a kubeconfig. Never rejects: what can't be done is told of.
 */
export async function runPost(files: BundledFiles): Promise<void> {
  const journal = createJournal();
  // the job's result is the main step's, and bad inputs were its to complain of
  if (stepState.get('started') !== '') await attempt('the run', () => cleanUp(files, journal), journal);
}

async function cleanUp(files: BundledFiles, journal: Journal): Promise<void> {
  const signal = AbortSignal.timeout(limitMs);
  const folderPath = stepState.get('report-folder');
  const session = await openSession(files, journal.write, {
    clusterLogs: (cluster, moment) =>
      moment === 'stale' && existsSync(folderPath) ? join(folderPath, clusterLogsFolder, cluster) : undefined,
  });
  const inputs = readActionInputs(core.getInput);
  const wasKilled = stepState.get('published') === '' && existsSync(folderPath);
  const folder = wasKilled ? await attempt('the stored trials', () => openRunFolder(folderPath), journal) : undefined;
  await attempt('the clusters', () => deleteClusters(inputs, session, journal, signal), journal);
  if (folder !== undefined) await attempt('the cluster', () => clearCluster(folder, journal, signal), journal);
  const kubeconfigFolder = stepState.get('kubeconfig-folder');
  if (kubeconfigFolder !== '') {
    await attempt('the kubeconfig', () => rm(kubeconfigFolder, { recursive: true, force: true }), journal);
  }
  if (folder !== undefined)
    await attempt('the results', () => saveResults(folder, inputs, session, journal, signal), journal);
}

async function attempt<T>(what: string, work: () => Promise<T>, journal: Journal): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    journal.warning('drainwatch: clean-up', `${what}: ${describeError(error)}`);
    return undefined;
  }
}

async function deleteClusters(
  { run }: ActionInputs,
  session: Session,
  journal: Journal,
  signal: AbortSignal,
): Promise<void> {
  const kind = createKind(session.providerContext, run.kindPath === undefined ? {} : { kindPath: run.kindPath });
  const deleted = await kind.cleanStale(signal);
  journal.write(deleted.length === 0 ? 'no cluster was left' : `deleted ${deleted.join(', ')}`);
}

/** An existing cluster outlives the job, and with it what a killed run made there. */
async function clearCluster(folder: RunFolder, journal: Journal, signal: AbortSignal): Promise<void> {
  const { manifest } = folder;
  if (manifest.provider !== 'kubeconfig' || stepState.get('workloads') === '') return;
  const { kubeconfig, context, namespace } = optionsOfManifest(manifest);
  const reach = {
    kubeconfigPath: kubeconfig,
    ...(context === undefined ? {} : { context }),
    ...(namespace === undefined ? {} : { namespace }),
  };
  const removed = await removeLeftovers(reach, stepState.get('workloads'), signal);
  journal.write(removed.length === 0 ? 'nothing was left in the cluster' : `removed ${removed.join(', ')}`);
}

async function saveResults(
  folder: RunFolder,
  inputs: ActionInputs,
  session: Session,
  journal: Journal,
  signal: AbortSignal,
): Promise<void> {
  await sumUp(folder, planOfStoredRun(folder, session), notMeasured('the run was interrupted'));
  if (!inputs.publication.artifact) return;
  const runner = readRunnerContext(process.env);
  const request = { folder, inputs: inputs.publication, runner, setOutput: () => undefined };
  const { outcome } = await publishArtifact(request, signal);
  journal.write(outcome.status === 'done' ? `artifact ${outcome.detail}` : `no artifact: ${outcome.reason}`);
}
