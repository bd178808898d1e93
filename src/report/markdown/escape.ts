import { printable } from '../../domain/printable.ts';
import { webAddress } from '../document/web-address.ts';
import { rightToLeft } from '../document/right-to-left.ts';

/** A zero-width space: invisible, and no filter of GitHub reads a reference across it. */
const pause = '&#8203;';

const reference = (character: string): string => `&#${character.codePointAt(0) ?? 0};`;

/**
 * What GitHub would make something of, and how it is written instead. Character references stand for no structure
 * (CommonMark 0.31, 2.5), in Markdown as in HTML; what GitHub looks for after that, in the text that is shown
 * (mentions, references, emoji), takes a pause. Each alternative is tried in this order at every place.
 */
const rules: readonly (readonly [RegExp, (found: string) => string])[] = [
  [/@/, () => `${reference('@')}${pause}`],
  // #1 and owner/name#1; a digit may follow in the next piece of a line
  [/#(?=\d|$)/, () => `${reference('#')}${pause}`],
  [/gh-(?=\d|$)/i, (found) => `${found}${pause}`],
  [/www(?=\.)/i, (found) => `${found}${pause}`],
  [/:(?=\/\/)/, () => `${reference(':')}${pause}`],
  // an emoji's name, as :smile:
  [/:(?=[\w+-]+:)/, () => `${reference(':')}${pause}`],
  // a workflow command begins with two
  [/:(?=:)|(?<=:):/, reference],
  // a commit, of seven digits or more; parts of longer names are none, but what the pause after gh- parts from it is
  [/(?<![\w.]|(?<!gh)-)[0-9a-f]{7,40}(?![\w-])/i, (found) => found.replaceAll(/.{6}(?=.)/g, `$&${pause}`)],
  [/[&<>"\\`*_~[\]|$#]/, reference],
  // marks of lists and of underlined headings
  [/^[-+=:]/, reference],
  [/(?<=^\d{1,9})[.)](?= |$)/, reference],
];

const anyRule = new RegExp(rules.map(([{ source }]) => `(${source})`).join('|'), 'gi');

/**
 * Text of any origin for any place of a Markdown document, in a table and in an HTML attribute or element too: one line
 * that shows what `printable` makes of it and does nothing. Nobody is notified, nothing becomes a link.
 */
export function escapeText(text: string): string {
  const line = printable(text);
  const escaped = line.replaceAll(anyRule, (found: string, ...groups: unknown[]) => {
    const rule = rules[groups.slice(0, rules.length).findIndex((group) => group !== undefined)];
    return rule === undefined ? found : rule[1](found);
  });
  return rightToLeft.test(line) ? `&#8296;${escaped}&#8297;` : escaped;
}

/** Characters that mean nothing, neither in a code span nor to what splits a table's row before. */
const plainCode = /^[0-9A-Za-z][0-9A-Za-z ._:/,+=%~@()-]*$/;

/** A name or a value, monospaced. GitHub looks for no references in code. */
export function escapeCode(text: string): string {
  const line = printable(text);
  if (line === '') return '';
  return plainCode.test(line) ? `\`${line}\`` : `<code>${escapeText(line)}</code>`;
}

/** A fenced block: its fence is longer than any row of backticks in it. */
export function codeBlock(language: string, text: string): string {
  const lines = text.split('\n').map(harmlessLine);
  const longest = Math.max(2, ...lines.flatMap((line) => [...line.matchAll(/`+/g)].map(([run]) => run.length)));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, ...lines, fence].join('\n');
}

/** Blanks stay, for they align; what a runner would take for a command when the text is printed does not. */
const harmlessLine = (line: string): string =>
  line
    .replaceAll(/[^ ]+/g, (word) => printable(word))
    .replace(/^ *:(?=:)/, (start) => start.replace(':', '\\u{3a}'))
    .replaceAll('##[', '#\\u{23}[');

/** In the address of a link these would end it, or the cell of a table that it is in. */
const structural = /[()<>|\\`"'[\]{}$\s]/g;

/** A link; its text alone where the address is none of the web. */
export function escapeLink(text: string, url: string): string {
  const address = webAddress(url);
  if (address === undefined) return escapeText(text);
  const destination = address.replaceAll(structural, encodeAlways).replaceAll('&', '&amp;');
  return `[${escapeText(text)}](${destination})`;
}

/** `encodeURIComponent` leaves parentheses and apostrophes. */
const encodeAlways = (character: string): string =>
  `%${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;

/** The value of an HTML attribute in double quotes. */
export const escapeAttribute = (text: string): string => printable(text).replaceAll(/[&<>"'`|]/g, reference);
