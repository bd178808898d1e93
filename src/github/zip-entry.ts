import { quoted } from './api-result.ts';

/** What an archive's central directory says of an entry (APPNOTE.TXT section 4.4). */
export interface ZipEntryFacts {
  readonly fileName: string;
  readonly uncompressedSize: number;
  readonly externalFileAttributes: number;
  /** Not encrypted, and stored or deflated. */
  readonly readable: boolean;
}

export interface UnzipLimits {
  readonly entries: number;
  /** Of all files together, unpacked. */
  readonly bytes: number;
}

export interface PlannedFile {
  readonly index: number;
  /** Relative, with slashes, below the target. */
  readonly path: string;
}

export type ZipPlan =
  | { readonly status: 'accepted'; readonly files: readonly PlannedFile[]; readonly bytes: number }
  | { readonly status: 'refused'; readonly reason: string };

const longestSegmentBytes = 255;
const longestPathBytes = 1024;

/** Judges a whole archive before anything of it is written: one bad entry refuses all. */
export function planUnzip(entries: readonly ZipEntryFacts[], limits: UnzipLimits): ZipPlan {
  if (entries.length > limits.entries)
    return refuse(`it has ${entries.length} entries, at most ${limits.entries} are taken`);
  const files: PlannedFile[] = [];
  const taken = new Map<string, 'file' | 'folder'>();
  let bytes = 0;
  for (const [index, entry] of entries.entries()) {
    const fault = faultOf(entry);
    if (fault !== null) return refuse(`entry ${quoted(entry.fileName)} ${fault}`);
    bytes += entry.uncompressedSize;
    if (bytes > limits.bytes) return refuse(`it unpacks to more than ${limits.bytes} bytes`);
    const isFolder = entry.fileName.endsWith('/');
    const path = isFolder ? entry.fileName.slice(0, -1) : entry.fileName;
    if (!claim(path, isFolder ? 'folder' : 'file', taken)) return refuse(`entry ${quoted(path)} collides with another`);
    if (!isFolder) files.push({ index, path });
  }
  return { status: 'accepted', files, bytes };
}

const refuse = (reason: string): ZipPlan => ({ status: 'refused', reason: `the archive is refused: ${reason}` });

/** Reserves a path and the folders above it, by names that are equal on some file system. */
function claim(path: string, kind: 'file' | 'folder', taken: Map<string, 'file' | 'folder'>): boolean {
  const segments = path.normalize('NFC').toLowerCase().split('/');
  for (let depth = 1; depth < segments.length; depth++) {
    const folder = segments.slice(0, depth).join('/');
    if (taken.get(folder) === 'file') return false;
    taken.set(folder, 'folder');
  }
  const key = segments.join('/');
  const before = taken.get(key);
  taken.set(key, kind);
  return before === undefined || (before === 'folder' && kind === 'folder');
}

function faultOf({ fileName, uncompressedSize, externalFileAttributes, readable }: ZipEntryFacts): string | null {
  const path = fileName.replace(/\/$/, '');
  const segments = path.split('/');
  if (path === '') return 'has no name';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'has an absolute path';
  if (segments.includes('..') || segments.includes('.') || segments.includes('')) return 'leads out of the folder';
  if (/[\p{Cc}\p{Cf}\p{Cs}\\:\uFFFD]/u.test(path)) return 'has a forbidden character in its name';
  if (Buffer.byteLength(path) > longestPathBytes) return 'has too long a path';
  if (segments.some((segment) => Buffer.byteLength(segment) > longestSegmentBytes)) return 'has too long a name';
  if (!readable) return 'is encrypted or packed in an unknown way';
  if (fileName.endsWith('/') && uncompressedSize > 0) return 'is a folder with content';
  return faultOfType(externalFileAttributes >>> 16, fileName.endsWith('/'));
}

/** Unix mode bits in the upper half of the attributes; zero when the archive was not made on Unix (inode(7)). */
function faultOfType(mode: number, namedFolder: boolean): string | null {
  switch (mode & 0o170000) {
    case 0:
      return null;
    case 0o100000:
      return namedFolder ? 'is a file with the name of a folder' : null;
    case 0o040000:
      return namedFolder ? null : 'is a folder with the name of a file';
    case 0o120000:
      return 'is a symbolic link';
    default:
      return 'is a special file';
  }
}
