import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { describeError } from '../../domain/errors.ts';

const identityForm = z.object({ pid: z.int().positive(), startTicks: z.string(), bootId: z.string() });

const stateForm = z
  .object({
    schemaVersion: z.literal(1),
    cluster: z.string().regex(/^drainwatch-[\da-f]{8}$/),
    createdAt: z.iso.datetime(),
    /** The process that answers for the cluster: while it lives, nobody else touches it. */
    owner: identityForm.readonly(),
    /** `kind create`, while the cluster is being made. */
    kind: identityForm
      .extend({ pid: z.int().min(2) })
      .readonly()
      .nullable(),
  })
  .readonly();

/** What is known of a cluster from before it was made until after it was deleted. */
export type ClusterState = z.infer<typeof stateForm>;

export type StateEntry =
  { readonly path: string; readonly state: ClusterState } | { readonly path: string; readonly problem: string };

/**
 * State files, one a cluster. Writes are synchronous and atomic: no moment passes between the spawn of a process and
 * the record of it, and a reader sees a whole file or none.
 */
export interface StateFolder {
  kubeconfigOf(cluster: string): string;
  /** A folder for files that the cluster needs while it exists; made by whoever writes there. */
  filesOf(cluster: string): string;
  save(state: ClusterState): void;
  /** Removes the state, and the kubeconfig and the files before it. */
  remove(cluster: string): void;
  list(): readonly StateEntry[];
}

export function openStateFolder(folder: string): StateFolder {
  const pathOf = (cluster: string) => join(folder, `${cluster}.json`);
  const kubeconfigOf = (cluster: string) => join(folder, `${cluster}.kubeconfig`);
  const filesOf = (cluster: string) => join(folder, `${cluster}.files`);

  const read = (path: string): StateEntry => {
    try {
      return { path, state: stateForm.parse(JSON.parse(readFileSync(path, 'utf8'))) };
    } catch (error) {
      return { path, problem: error instanceof z.ZodError ? z.prettifyError(error) : describeError(error) };
    }
  };

  return {
    kubeconfigOf,
    filesOf,
    save(state) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const partial = join(folder, `.${state.cluster}.partial`);
      writeFileSync(partial, `${JSON.stringify(state, null, 2)}\n`);
      renameSync(partial, pathOf(state.cluster));
    },
    remove(cluster) {
      rmSync(filesOf(cluster), { recursive: true, force: true });
      // kind leaves a lock beside the kubeconfig when it is killed while writing it
      for (const path of [kubeconfigOf(cluster), `${kubeconfigOf(cluster)}.lock`, pathOf(cluster)]) {
        rmSync(path, { force: true });
      }
    },
    list() {
      try {
        const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
        return names.toSorted().map((name) => read(join(folder, name)));
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
        throw error;
      }
    },
  };
}
