/** Advance widths of DejaVu Sans, the shipped font, for U+0020 to U+007E, in thousandths of the font size. */
const advances = [
  318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636,
  636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863,
  748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635,
  615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636,
  337, 636, 838,
];

const others: ReadonlyMap<string, number> = new Map([
  ['\u00a0', 318],
  ['·', 318],
  ['’', 318],
  ['–', 500],
  ['−', 838],
  ['→', 838],
  ['×', 838],
  ['…', 1000],
]);

/** No Latin, Greek or Cyrillic letter is much wider; full-width scripts are. */
const unknownAdvance = 1050;

/** What bold letters are wider by, on the average of the texts that charts hold. */
const boldFactor = 1.16;

/** The width of a text in CSS pixels, known without rendering; a test compares it with the rendered one. */
export function textWidth(text: string, size: number, bold = false): number {
  const thousandths = Array.from(text).reduce((sum, character) => sum + advanceOf(character), 0);
  return (thousandths / 1000) * size * (bold ? boldFactor : 1);
}

const advanceOf = (character: string): number =>
  advances[(character.codePointAt(0) ?? 0) - 0x20] ?? others.get(character) ?? unknownAdvance;

/** The text, cut with an ellipsis where it is wider than `width`. */
export function fitText(text: string, width: number, size: number, bold = false): string {
  if (textWidth(text, size, bold) <= width) return text;
  const characters = Array.from(text);
  while (characters.length > 1 && textWidth(`${characters.join('')}…`, size, bold) > width) characters.pop();
  return `${characters.join('').trimEnd()}…`;
}
