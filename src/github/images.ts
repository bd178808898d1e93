import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from './api.ts';
import { done, failed, quoted, type ApiFailure, type ApiResult } from './api-result.ts';
import { GitData, type Tip, type TreeChange } from './git-data.ts';
import { filesToPrune, stampedFolder, type ImageBudget } from './image-budget.ts';

export interface ImageFile {
  /** A plain name, as `dead-endpoint-window.png`. */
  readonly name: string;
  readonly content: Uint8Array;
}

export interface ImagesRequest {
  /** Holds images and nothing else; made without a parent when it does not exist. */
  readonly branch: string;
  /** Says in the branch what the images belong to, as `pr-12`; the time is put before it. */
  readonly folder: string;
  readonly files: readonly ImageFile[];
  readonly message: string;
  readonly budget?: ImageBudget;
  /** When the images were made. Default: now. */
  readonly now?: Date;
}

export type ImagesResult =
  | {
      readonly status: 'published';
      readonly commit: string;
      /** An image's name to its address, which never changes: it names the commit. */
      readonly urls: ReadonlyMap<string, string>;
      readonly pruned: number;
    }
  | ApiFailure;

export interface ImagesSession {
  readonly api: Api;
  /** `https://github.com/owner/name`. */
  readonly repositoryUrl: string;
  readonly signal: AbortSignal;
  /** Pause before the second attempt, in milliseconds; later ones are longer. */
  readonly firstPauseMs: number;
}

export const defaultImageBudget: ImageBudget = { files: 500, bytes: 50 * 1024 * 1024 };

/** Only a branch that holds this file is written to: a wrong branch name must not reach anybody's sources. */
const markerFile = '.drainwatch-images';
const markerText = 'Images of drainwatch reports. Written by the Action; old ones are removed from the tip.\n';
/** Writers that start together each win within as many rounds as there are writers. */
const mostAttempts = 10;
const longestPauseMs = 20_000;

/**
 * Commits images to a branch of their own, one commit for all of them. Of several writers at once each gets its turn:
 * the branch only moves forward, and who comes too late builds anew on the winner's commit.
 *
 * @throws the signal's reason when it is aborted; every failure of GitHub is a result
 */
export async function publishImages(session: ImagesSession, request: ImagesRequest): Promise<ImagesResult> {
  const bad = request.files.find(({ name }) => !/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name));
  if (bad !== undefined) return failed('invalid', `an image has no plain name: ${quoted(bad.name)}`);
  if (request.files.length === 0) return failed('invalid', 'there is no image to publish');
  const git = new GitData(session.api, session.signal);
  const folder = stampedFolder(request.folder, request.now ?? new Date());
  const changes: TreeChange[] = [];
  for (const { name, content } of request.files) {
    const blob = await git.blob(content);
    if (blob.status !== 'ok') return blob;
    changes.push({ path: `${folder}/${name}`, blob: blob.value });
  }
  for (let attempt = 1; ; attempt++) {
    const written = await commitOnTip(git, request, changes);
    if (written.status === 'ok') {
      const { commit, pruned } = written.value;
      const address = ({ name }: ImageFile) => `${session.repositoryUrl}/raw/${commit}/${folder}/${name}`;
      return {
        status: 'published',
        commit,
        urls: new Map(request.files.map((file) => [file.name, address(file)])),
        pruned,
      };
    }
    if (written.status !== 'conflict' || attempt === mostAttempts) return written;
    const pauseMs = Math.min(session.firstPauseMs * 2 ** (attempt - 1), longestPauseMs);
    await delay(pauseMs * (0.5 + Math.random()), undefined, { signal: session.signal }).catch(ignoreAbort);
    session.signal.throwIfAborted();
  }
}

interface Committed {
  readonly commit: string;
  readonly pruned: number;
}

async function commitOnTip(
  git: GitData,
  { branch, files, message, budget = defaultImageBudget }: ImagesRequest,
  changes: readonly TreeChange[],
): Promise<ApiResult<Committed>> {
  const tip = await git.tip(branch);
  if (tip.status !== 'ok') return tip;
  if (tip.value !== null && !isOurs(tip.value)) {
    return failed('invalid', `branch ${quoted(branch)} exists and holds no ${markerFile}: it is not written to`);
  }
  const added = { files: files.length, bytes: files.reduce((sum, { content }) => sum + content.byteLength, 0) };
  const pruned = filesToPrune(tip.value?.files ?? [], added, budget);
  const removals = pruned.map((path) => ({ path, blob: null }));
  const marker = tip.value === null ? await markerChange(git) : done([]);
  if (marker.status !== 'ok') return marker;
  const tree = await git.tree(tip.value?.tree ?? null, [...marker.value, ...removals, ...changes]);
  if (tree.status !== 'ok') return tree;
  const commit = await git.commit(message, tree.value, tip.value?.commit ?? null);
  if (commit.status !== 'ok') return commit;
  const published = await git.publish(branch, commit.value, tip.value === null);
  return published.status === 'ok' ? done({ commit: commit.value, pruned: pruned.length }) : published;
}

const isOurs = ({ files }: Tip): boolean => files.some(({ path }) => path === markerFile);

async function markerChange(git: GitData): Promise<ApiResult<readonly TreeChange[]>> {
  const blob = await git.blob(Buffer.from(markerText));
  return blob.status === 'ok' ? done([{ path: markerFile, blob: blob.value }]) : blob;
}

function ignoreAbort(): void {
  // the caller throws the signal's own reason instead
}
