import type { CommentState, ReadMark } from './comment-marker.ts';

/** When a comment is written. Names of the Action's input. */
export const commentModes = ['always', 'on-change', 'on-regression', 'never'] as const;
export type CommentMode = (typeof commentModes)[number];

export type CommentDecision = { readonly kind: 'write' } | { readonly kind: 'leave'; readonly reason: string };

export interface CommentWish {
  readonly mode: Exclude<CommentMode, 'never'>;
  readonly state: CommentState;
  readonly digest: string;
  readonly sequence: number;
}

const write: CommentDecision = { kind: 'write' };
const leave = (reason: string): CommentDecision => ({ kind: 'leave', reason });

/**
 * Whether to write.
 *
 * @param existing the marker of this key's newest own comment; `none` when there is no such comment
 */
export function decideComment(wish: CommentWish, existing: ReadMark): CommentDecision {
  if (existing.kind === 'mark' && existing.mark.sequence > wish.sequence) {
    return leave(`run ${existing.mark.sequence}, which is newer than this run ${wish.sequence}, has written already`);
  }
  switch (wish.mode) {
    case 'always':
      return write;
    case 'on-change':
      return existing.kind === 'mark' && existing.mark.digest === wish.digest && existing.mark.state === wish.state
        ? leave('nothing has changed since the comment was written')
        : write;
    case 'on-regression':
      if (wish.state === 'alarm') return write;
      if (existing.kind === 'none') return leave('there is no regression to tell of');
      // a comment of another version may hold an alarm: written anew it surely holds none
      return existing.kind === 'mark' && existing.mark.state === 'clear'
        ? leave('there is no regression, and the comment says so already')
        : write;
    default:
      return wish.mode satisfies never;
  }
}
