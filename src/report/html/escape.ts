import { printable } from '../../domain/printable.ts';

const references: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/**
 * Text of any origin for an element or a quoted attribute: shows what `printable` makes of it and does nothing.
 * Attributes have no place for elements, so text that runs from right to left is kept apart by `bdi` elsewhere.
 */
export const escapeHtml = (text: string): string => escapeCharacters(printable(text));

/** For a `pre`, where line breaks and blanks count. */
export const escapePreformatted = (text: string): string =>
  text
    .split('\n')
    .map((line) => escapeCharacters(line.replaceAll(/[^ ]+/g, (word) => printable(word))))
    .join('\n');

const escapeCharacters = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => references.get(character) ?? '');
