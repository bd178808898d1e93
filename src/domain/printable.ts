/**
 * Everything that a terminal, a pager or a spreadsheet would act on instead of showing: control characters (Unicode
 * category Cc), format characters such as direction overrides and zero-width joiners (Cf), line and paragraph separators.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Text from outside as one line that only shows: white space of any kind is one blank, every other character that
 * would act is written out as `\u{1b}`. For pod names, reasons and whatever else a cluster or an artifact says.
 */
export const printable = (text: string): string =>
  text
    .replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029 ]+/g, ' ')
    .trim()
    .replaceAll(unprintable, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

/** Enough of a text from outside to recognise it by, on one line. */
export function shown(text: string, longest = 60): string {
  const line = printable(text);
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}
