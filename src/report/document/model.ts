/**
 * A report as a reader meets it, before it is Markdown or HTML. Every text is plain and may be hostile: only the two
 * writers make markup, so that nothing can be escaped twice or not at all.
 */
export type Inline =
  | { readonly kind: 'strong' | 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly url: string };

/** A bare string is text. */
export type Line = readonly (string | Inline)[];

export type Block =
  | { readonly kind: 'paragraph'; readonly lines: readonly Line[] }
  | { readonly kind: 'list'; readonly items: readonly Line[] }
  | {
      readonly kind: 'table';
      readonly caption: string;
      /** The section's title says no less: Markdown, which has no captions, leaves it out. */
      readonly captionRepeats?: boolean;
      readonly columns: readonly string[];
      /** The first cell names the row. */
      readonly rows: readonly (readonly Line[])[];
    }
  | { readonly kind: 'code'; readonly language: 'text' | 'sh' | 'yaml' | 'mermaid'; readonly text: string }
  | { readonly kind: 'images'; readonly images: readonly Picture[] };

/** An image with the address of each of its themes. */
export interface Picture {
  readonly alt: string;
  readonly light: string;
  readonly dark?: string;
}

export interface Section {
  readonly title: string;
  /** A reader opens it. */
  readonly folded: boolean;
  /** What does not fit is left out from the greatest rank on; rank 0 never is. */
  readonly rank: number;
  readonly blocks: readonly Block[];
}

/** A section that a reader sees at once. */
export const open = (title: string, rank: number, blocks: readonly Block[]): Section => ({
  title,
  folded: false,
  rank,
  blocks,
});

export const folded = (title: string, rank: number, blocks: readonly Block[]): Section => ({
  title,
  folded: true,
  rank,
  blocks,
});

export const strong = (text: string): Inline => ({ kind: 'strong', text });
export const code = (text: string): Inline => ({ kind: 'code', text });
export const link = (text: string, url: string): Inline => ({ kind: 'link', text, url });

/** A block a line of text; none for no lines. */
export const paragraph = (lines: readonly (Line | string)[]): readonly Block[] =>
  lines.length === 0 ? [] : [{ kind: 'paragraph', lines: lines.map(asLine) }];

export const list = (items: readonly (Line | string)[]): readonly Block[] =>
  items.length === 0 ? [] : [{ kind: 'list', items: items.map(asLine) }];

const asLine = (line: Line | string): Line => (typeof line === 'string' ? [line] : line);

/** Escapes a piece of a line, and keeps the blanks that join it to its neighbours. */
export const joining = (text: string, escape: (text: string) => string): string =>
  [text.startsWith(' ') ? ' ' : '', escape(text), text.length > 1 && text.endsWith(' ') ? ' ' : ''].join('');

/** At most `most` characters, the last an ellipsis where the text was longer. */
export function clip(text: string, most: number): string {
  // a text of that many code units has no more characters
  if (text.length <= most) return text;
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

/** No label or number is longer; what is longer came from somewhere else. */
export const longestCell = 300;
