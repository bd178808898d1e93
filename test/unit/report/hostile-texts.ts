import fc from 'fast-check';

/** What Markdown, HTML, GitHub, a runner or a terminal acts on. */
const acting = [
  '@octocat',
  '@org/team',
  'someone@example.com',
  '#123',
  'octo/cat#1',
  'GH-7',
  'deadbeef',
  '307f3613bfd4698af0b3d6ddce6d7a27fd0de745',
  'https://evil.example/a?b=c',
  'www.evil.example',
  ':rocket:',
  '$x^2$',
  '$`a`$',
  '**bold**',
  '_em_',
  '~~gone~~',
  '`code`',
  '```',
  '~~~',
  '[a](https://evil.example)',
  '[a]: https://evil.example',
  '![a](x)',
  '[^1]',
  '<b>',
  '</details>',
  '</code>',
  '<!--',
  '-->',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '&lt;',
  '&#64;octocat',
  '"><b a="',
  "'",
  '|',
  '\\|',
  '\\',
  '- a',
  '+ a',
  '1. a',
  '2)',
  '# a',
  '> a',
  '---',
  '===',
  ':-:',
  '| a |\n| --- |\n| b |',
  '\n\n',
  '\r\n',
  '\t',
  '    four',
  '  \n',
  '::set-output name=a::b',
  '::error::x',
  '##[error]x',
  '\u001b[31m',
  '\u0000',
  '\u202e',
  '\u2066',
  '\u200b',
  '\ud800',
  'אבג',
  'مرحبا',
  '\u2028',
  '\u00a0',
  '🙂',
  'a',
  ' ',
  'pod-0',
];

/** Texts of which any may come from a cluster or an artifact. */
export const hostile: fc.Arbitrary<string> = fc.oneof(
  fc
    .array(fc.oneof(fc.constantFrom(...acting), fc.string({ unit: 'grapheme', maxLength: 5 })), { maxLength: 8 })
    .map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
);

/** The text that a browser shows of escaped text: references read, and without what was put in to be invisible. */
export const shownText = (escaped: string): string => decoded(escaped).replaceAll(/[\u200b\u2068\u2069]/g, '');

const named: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
]);

const decoded = (text: string): string =>
  text.replaceAll(/&(?:#(\d+)|(\w+));/g, (whole, point: string | undefined, name: string | undefined) =>
    point === undefined ? (named.get(name ?? '') ?? whole) : String.fromCodePoint(Number(point)),
  );
