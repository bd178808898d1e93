import type { TreeFile } from './git-data.ts';

/** What the tip of an images branch may hold. Older commits keep what was taken out: their addresses stay valid. */
export interface ImageBudget {
  readonly files: number;
  readonly bytes: number;
}

/** Folders made by this project: the UTC time of the run comes first, so that names sort by age. */
const stamped = /^\d{8}T\d{6}Z-[^/]+\//;

/** `20261129T172433Z-pr-12`: a folder's name, of characters that need no escape in an address. */
export const stampedFolder = (label: string, now: Date): string =>
  `${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}-${label.replaceAll(/[^A-Za-z0-9._-]+/g, '-')}`;

/** The oldest files beyond the budget once `added` joins them, whole folders at a time; never the files of others. */
export function filesToPrune(files: readonly TreeFile[], added: ImageBudget, budget: ImageBudget): readonly string[] {
  const own = files.filter(({ path }) => stamped.test(path));
  const folders = [...new Set(own.map(folderOf))].toSorted();
  let count = own.length + added.files;
  let bytes = bytesOf(own) + added.bytes;
  const pruned: string[] = [];
  for (const folder of folders) {
    if (count <= budget.files && bytes <= budget.bytes) break;
    const inFolder = own.filter((file) => folderOf(file) === folder);
    count -= inFolder.length;
    bytes -= bytesOf(inFolder);
    pruned.push(...inFolder.map(({ path }) => path));
  }
  return pruned;
}

const folderOf = ({ path }: TreeFile): string => path.slice(0, path.indexOf('/'));
const bytesOf = (files: readonly TreeFile[]): number => files.reduce((sum, file) => sum + file.bytes, 0);
