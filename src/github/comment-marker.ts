/** What the hidden first line of a comment says of it. */
export interface CommentMark {
  /** Tells the comments of several jobs or matrices in one pull request apart. */
  readonly key: string;
  readonly state: CommentState;
  /** Digest of the content that counts. */
  readonly digest: string;
  /** Grows from run to run; a slower, older run must not overwrite a newer one's comment. */
  readonly sequence: number;
}

/** `alarm`: something is wrong that a reader must see. `clear`: nothing is. */
export type CommentState = 'alarm' | 'clear';

const version = 1;
const form = /^<!-- drainwatch-comment v(\d+) key=(\S*) state=(alarm|clear) digest=(\S*) sequence=(\d+) -->/;
/** Any version's marker names its key in the same place, so that a later version still finds the comment. */
const anyForm = /^<!-- drainwatch-comment v\d+ key=(\S*)[ ]/;

/** One HTML comment, invisible in a rendered comment. The key is encoded: it can't hold a blank nor end the comment. */
export const markerOf = ({ key, state, digest, sequence }: CommentMark): string =>
  `<!-- drainwatch-comment v${version} key=${encodeURIComponent(key)} state=${state} digest=${digest} sequence=${sequence} -->`;

export type ReadMark =
  | { readonly kind: 'none' }
  /** Written by another version: whose it is can be told, what it holds can't. */
  | { readonly kind: 'foreign-version'; readonly key: string }
  | { readonly kind: 'mark'; readonly mark: CommentMark };

/**
 * Reads the marker at the very start of a body. One further down is content that somebody quoted.
 */
export function readMark(body: string): ReadMark {
  const [, found, key, state, digest, sequence] = form.exec(body) ?? [];
  if (
    found === String(version) &&
    key !== undefined &&
    digest !== undefined &&
    (state === 'alarm' || state === 'clear')
  ) {
    return { kind: 'mark', mark: { key: decoded(key), state, digest, sequence: Number(sequence) } };
  }
  const foreign = anyForm.exec(body)?.[1];
  return foreign === undefined ? { kind: 'none' } : { kind: 'foreign-version', key: decoded(foreign) };
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    // no key that this project wrote: kept as it is, it equals none
    return key;
  }
}
