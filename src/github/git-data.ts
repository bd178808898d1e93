import { z } from 'zod';
import type { Api } from './api.ts';
import { done, failed, type ApiResult } from './api-result.ts';

/** A file of a tree, by the blob that holds it. A null blob takes the path out of the base tree. */
export interface TreeChange {
  readonly path: string;
  readonly blob: string | null;
}

export interface TreeFile {
  readonly path: string;
  readonly bytes: number;
}

/** The tip of a branch: null when there is no such branch. */
export interface Tip {
  readonly commit: string;
  readonly tree: string;
  readonly files: readonly TreeFile[];
}

const shaSchema = z.object({ sha: z.string() });

/**
 * GitHub's git database, as far as one branch of small files needs it. Blobs, trees and commits are named by their
 * content, so that writing one twice is harmless.
 */
export class GitData {
  readonly #api: Api;
  readonly #signal: AbortSignal;

  constructor(api: Api, signal: AbortSignal) {
    this.#api = api;
    this.#signal = signal;
  }

  async tip(branch: string): Promise<ApiResult<Tip | null>> {
    const ref = await this.#get('GET /repos/{owner}/{repo}/git/ref/{ref}', { ref: `heads/${branch}` }, refSchema);
    if (ref.status === 'not-found') return done(null);
    if (ref.status !== 'ok') return ref;
    const commit = ref.value.object.sha;
    const found = await this.#get(
      'GET /repos/{owner}/{repo}/git/commits/{commit_sha}',
      { commit_sha: commit },
      z.object({ tree: shaSchema }),
    );
    if (found.status !== 'ok') return found;
    const tree = found.value.tree.sha;
    const listed = await this.#get(
      'GET /repos/{owner}/{repo}/git/trees/{tree_sha}',
      { tree_sha: tree, recursive: '1' },
      treeSchema,
    );
    if (listed.status !== 'ok') return listed;
    if (listed.value.truncated) return failed('invalid', `branch ${branch} has more files than GitHub lists at once`);
    const files = listed.value.tree
      .filter(({ type }) => type === 'blob')
      .map(({ path, size }) => ({ path, bytes: size ?? 0 }));
    return done({ commit, tree, files });
  }

  blob(content: Uint8Array): Promise<ApiResult<string>> {
    const parameters = { content: Buffer.from(content).toString('base64'), encoding: 'base64' };
    return this.#write('POST /repos/{owner}/{repo}/git/blobs', parameters);
  }

  /** @param base the tree that is changed; null for a new one */
  tree(base: string | null, changes: readonly TreeChange[]): Promise<ApiResult<string>> {
    const tree = changes.map(({ path, blob }) => ({ path, mode: '100644', type: 'blob', sha: blob }));
    return this.#write('POST /repos/{owner}/{repo}/git/trees', { tree, ...(base === null ? {} : { base_tree: base }) });
  }

  commit(message: string, tree: string, parent: string | null): Promise<ApiResult<string>> {
    const parents = parent === null ? [] : [parent];
    return this.#write('POST /repos/{owner}/{repo}/git/commits', { message, tree, parents });
  }

  /** Makes the branch, or moves it forward from `commit`'s parent; `conflict` when another writer was first. */
  async publish(branch: string, commit: string, isNew: boolean): Promise<ApiResult<unknown>> {
    const written = isNew
      ? await this.#api.call(
          {
            route: 'POST /repos/{owner}/{repo}/git/refs',
            parameters: { ref: `refs/heads/${branch}`, sha: commit },
            schema: refSchema,
            repeatable: true,
          },
          this.#signal,
        )
      : await this.#api.call(
          {
            route: 'PATCH /repos/{owner}/{repo}/git/refs/{ref}',
            parameters: { ref: `heads/${branch}`, sha: commit, force: false },
            schema: refSchema,
            repeatable: true,
          },
          this.#signal,
        );
    // GitHub answers 422 both for a lost race and for a rule of the repository that forbids the write
    if (written.status === 'invalid' && /already exists|not a fast.forward/i.test(written.reason)) {
      return this.#isTip(branch, commit, written.reason);
    }
    return written;
  }

  /** A repeated request finds its own earlier success in its way. */
  async #isTip(branch: string, commit: string, reason: string): Promise<ApiResult<unknown>> {
    const ref = await this.#get('GET /repos/{owner}/{repo}/git/ref/{ref}', { ref: `heads/${branch}` }, refSchema);
    if (ref.status === 'ok' && ref.value.object.sha === commit) return ref;
    return failed('conflict', reason);
  }

  #get<T>(route: string, parameters: Readonly<Record<string, unknown>>, schema: z.ZodType<T>): Promise<ApiResult<T>> {
    return this.#api.call({ route, parameters, schema, repeatable: true }, this.#signal);
  }

  async #write(route: string, parameters: Readonly<Record<string, unknown>>): Promise<ApiResult<string>> {
    const written = await this.#api.call({ route, parameters, schema: shaSchema, repeatable: true }, this.#signal);
    return written.status === 'ok' ? done(written.value.sha) : written;
  }
}

const refSchema = z.object({ object: z.object({ sha: z.string() }) });
const treeSchema = z.object({
  truncated: z.boolean(),
  tree: z.array(z.object({ path: z.string(), type: z.string(), size: z.number().optional() })),
});
