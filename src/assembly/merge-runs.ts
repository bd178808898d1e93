import { isDeepStrictEqual } from 'node:util';
import type { Aggregate } from '../domain/aggregate.ts';
import type { Environment } from '../domain/environment.ts';
import { inputError } from '../domain/errors.ts';
import type { Matrix } from '../domain/matrix.ts';
import { notMeasured, valueOf } from '../domain/measured.ts';
import { printable } from '../domain/printable.ts';
import { fitMatrix } from '../experiment/fit-matrix.ts';
import type { RunManifest } from '../report/manifest.ts';
import type { RunFolder } from '../report/run-folder.ts';
import { openStoredRun } from '../report/store.ts';
import type { StoredRun } from '../report/stored-run.ts';
import { inNewFolder } from './carry-out.ts';
import { attemptOf, withoutAttempt } from './attempts.ts';
import { planOfStoredRun } from './prepare-run.ts';
import { createProviders } from './providers.ts';
import { newRunId } from './run-id.ts';
import type { Session } from './session.ts';
import { sumUp } from './sum-up.ts';

export interface MergeRequest {
  /** Folders of runs: shards of one matrix, and further attempts at some of them. */
  readonly folders: readonly string[];
  /** A new or empty folder. */
  readonly output: string;
  /** The whole matrix: an arm of it that no folder has is discarded. Undefined: what the folders have together. */
  readonly matrix?: Matrix;
}

interface Part {
  readonly folder: StoredRun;
  readonly attempt: number;
  /** Identifiers of the arms that it was to run. */
  readonly arms: readonly string[];
}

/**
 * Makes one run of several that ran parts of one experiment, each arm from the folder of the highest attempt, and sums
 * it up. The folders stay as they are.
 *
 * @throws {ActionableError} of kind `input` when they are not parts of one experiment, or two have the same arm.
 */
export async function mergeRuns(
  { folders, output, matrix }: MergeRequest,
  session: Session,
): Promise<{ readonly aggregate: Aggregate; readonly folder: RunFolder }> {
  const parts: Part[] = [];
  for (const path of folders) {
    const folder = await openStoredRun(path);
    const arms = planOfStoredRun(folder, session).arms.map(({ arm }) => arm.id);
    parts.push({ folder, attempt: attemptOf(folder.manifest), arms });
  }
  const manifest = mergedManifest(parts, matrix && fitted(matrix, parts, session));
  const chosen = chooseParts(parts);
  await requireOneKind(chosen);
  return inNewFolder(output, manifest, async (folder) => {
    const plan = planOfStoredRun(folder, session);
    const known = new Set(plan.arms.map(({ arm }) => arm.id));
    const stray = [...chosen].find(([arm]) => !known.has(arm));
    if (stray !== undefined)
      throw notOne(stray[1].folder, `has arm ${printable(stray[0])}`, 'no arm beyond the matrix');
    await copyTrials(chosen, folder);
    const reason = parts.length === 1 ? 'the run was copied' : `the run has ${parts.length} parts, run apart in time`;
    return { aggregate: await sumUp(folder, plan, notMeasured(reason)), folder };
  });
}

/** On a provider that makes no cluster the matrix has no proxy mode, whatever its file says. */
function fitted(matrix: Matrix, parts: readonly Part[], session: Session): Matrix {
  const [first] = parts;
  if (first === undefined) return matrix;
  const provider = createProviders(session.providerContext, {}).get(first.folder.manifest.provider);
  return fitMatrix(matrix, provider, { proxyModes: false, kubernetesVersions: false });
}

/** The part of each arm. */
function chooseParts(parts: readonly Part[]): ReadonlyMap<string, Part> {
  const chosen = new Map<string, Part>();
  for (const part of parts) {
    for (const arm of part.arms) {
      const other = chosen.get(arm);
      if (other?.attempt === part.attempt) {
        throw notOne(part.folder, `has arm ${printable(arm)}, as ${other.folder.path} has`, 'each arm in one folder');
      }
      if (other === undefined || other.attempt < part.attempt) chosen.set(arm, part);
    }
  }
  return chosen;
}

/** A part, with the arms that are taken from it. */
const taken = (chosen: ReadonlyMap<string, Part>) =>
  [...new Set(chosen.values())].map(({ folder, arms }) => ({
    folder,
    arms: new Set(arms.filter((arm) => chosen.get(arm)?.folder === folder)),
  }));

async function copyTrials(chosen: ReadonlyMap<string, Part>, target: RunFolder): Promise<void> {
  for (const { folder, arms } of taken(chosen)) {
    for await (const report of folder.readTrials()) {
      if (arms.has(report.trial.arm.id)) await target.writeTrial(report);
    }
    for await (const report of folder.readWarmUps()) {
      if (arms.has(report.trial.arm.id)) await target.writeWarmUp(report);
    }
    for (const failure of await folder.readFailures()) if (arms.has(failure.arm)) await target.copyFailure(failure);
  }
}

/** What a matrix holds besides the factors that its shards divide. */
const conditionsOf = (matrix: Matrix): Matrix => ({
  ...matrix,
  scenarios: [],
  proxyModes: [],
  kubernetesVersions: [],
});

function mergedManifest(parts: readonly Part[], whole: Matrix | undefined): RunManifest {
  const [first, ...others] = parts.map(({ folder }) => folder);
  if (first === undefined) {
    throw inputError({ expected: 'at least one folder', found: 'none', remedy: 'name the folder of a run' });
  }
  const { manifest } = first;
  for (const folder of others) {
    requireSame(folder, first, 'tool', ({ tool }) => tool);
    requireSame(folder, first, 'provider', ({ provider }) => provider);
    requireSame(folder, first, 'matrix', ({ matrix }) => conditionsOf(matrix));
  }
  if (whole !== undefined && !isDeepStrictEqual(conditionsOf(whole), conditionsOf(manifest.matrix))) {
    throw notOne(first, 'has another matrix than was named', 'the matrix of the runs');
  }
  const union = (factor: 'scenarios' | 'proxyModes' | 'kubernetesVersions') => [
    ...new Set(parts.flatMap(({ folder }) => folder.manifest.matrix[factor])),
  ];
  const factors = {
    scenarios: union('scenarios'),
    proxyModes: union('proxyModes'),
    kubernetesVersions: union('kubernetesVersions'),
  };
  const startedAt = parts.map(({ folder }) => folder.manifest.startedAt).reduce((a, b) => (a < b ? a : b));
  return {
    ...withoutAttempt(manifest),
    run: newRunId(manifest.matrix.name, new Date(startedAt)),
    matrix: whole ?? { ...manifest.matrix, ...factors },
    startedAt,
  };
}

function requireSame(
  folder: StoredRun,
  first: StoredRun,
  what: string,
  read: (manifest: RunManifest) => unknown,
): void {
  if (isDeepStrictEqual(read(folder.manifest), read(first.manifest))) return;
  throw notOne(folder, `has another ${what} than ${first.path}`, `one ${what}`);
}

/** What differs between experiments; kernels and versions of the runners are drift, which the aggregate tells of. */
const kinds: readonly {
  readonly name: string;
  readonly read: (environment: Environment) => unknown;
  /** Each proxy mode may have its own: Cilium brings its pod network along. */
  readonly byMode?: true;
}[] = [
  { name: 'tool', read: ({ tool }) => tool },
  { name: 'provider', read: ({ provider }) => provider },
  { name: 'CNI', read: ({ cni }) => valueOf(cni), byMode: true },
  { name: 'number of nodes', read: ({ nodes }) => nodes.length },
  { name: 'architecture', read: ({ client }) => client.architecture },
];

async function requireOneKind(chosen: ReadonlyMap<string, Part>): Promise<void> {
  const firsts = new Map<string, { readonly folder: StoredRun; readonly value: unknown }>();
  for (const { folder, arms } of taken(chosen)) {
    for await (const { trial, environment } of folder.readTrials()) {
      if (!arms.has(trial.arm.id)) continue;
      for (const { name, read, byMode = false } of kinds) {
        const key = byMode ? `${name} ${trial.arm.proxyMode ?? ''}` : name;
        const value = read(environment);
        const first = firsts.get(key) ?? { folder, value };
        firsts.set(key, first);
        if (isDeepStrictEqual(value, first.value)) continue;
        throw notOne(folder, `was measured with another ${name} than ${first.folder.path}`, `one ${name}`);
      }
    }
  }
}

const notOne = ({ path }: StoredRun, found: string, expected: string) =>
  inputError({
    expected: `parts of one experiment: ${expected}`,
    found: `${path} ${found}`,
    remedy: 'leave one out, or report them apart',
  });
