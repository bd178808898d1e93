import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  codeBlock,
  escapeAttribute,
  escapeCode,
  escapeLink,
  escapeText,
} from '../../../../src/report/markdown/escape.ts';
import { printable } from '../../../../src/domain/printable.ts';
import { hostile, shownText } from '../hostile-texts.ts';

describe('text in Markdown', () => {
  test.each([
    ['a mention', '@octocat', '&#64;&#8203;octocat'],
    ['a reference', 'octo/cat#12', 'octo/cat&#35;&#8203;12'],
    ['another form of it', 'GH-12', 'GH-&#8203;12'],
    ['an address', 'https://evil.example', 'https&#58;&#8203;//evil.example'],
    ['an address without a scheme', 'www.evil.example', 'www&#8203;.evil.example'],
    ['an emoji', ':rocket:', '&#58;&#8203;rocket:'],
    ['a commit', 'deadbeef', 'deadbe&#8203;ef'],
    ['a commit behind another form of a reference', 'GH-7307f361', 'GH-&#8203;7307f3&#8203;61'],
    ['a cell’s end', 'a|b', 'a&#124;b'],
    ['a formula', '$x$', '&#36;x&#36;'],
    ['an element', '<img src=x>', '&#60;img src=x&#62;'],
    ['a reference to a character', '&amp;', '&#38;amp;'],
    ['a workflow command', '::set-output name=a::b', '&#58;&#58;set-output name=a&#58;&#58;b'],
    ['a list', '- a', '&#45; a'],
    ['a numbered list', '12) a', '12&#41; a'],
    ['an escape', String.raw`\|`, '&#92;&#124;'],
    ['a direction override', 'a\u202eb', 'a&#92;u{202e}b'],
  ])('shows %s and does nothing with it', (_, text, escaped) => {
    expect(escapeText(text)).toBe(escaped);
  });

  test.each(['drains · delete', '25.04 s (25.03–25.11)', 'SIGTERM → ready = false', 'v1.34.0', '−16 ms (−73 – −3)'])(
    'leaves %s as it is',
    (text) => {
      expect(escapeText(text)).toBe(text);
    },
  );

  test('leaves the names of pods whole, so that they can be copied', () => {
    expect(escapeText('drainwatch-bb2713e5-2-dc5c9cb7c-xx85s')).toBe('drainwatch-bb2713e5-2-dc5c9cb7c-xx85s');
  });

  test('keeps letters that run from right to left to themselves', () => {
    expect(escapeText('א 12')).toBe('&#8296;א 12&#8297;');
  });

  test('shows what printable makes of it, whatever it is', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(shownText(escapeText(text))).toBe(printable(text));
      }),
    );
  });

  test('holds no character that Markdown, a table, HTML or a runner acts on', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const escaped = escapeText(text).replaceAll(/&#\d+;/g, 'x');
        expect(escaped).not.toMatch(/[&<>"\\`*_~[\]|$#@\n\r]|::|^[-+=:]|^\d{1,9}[.)]( |$)/);
      }),
    );
  });

  test('fits a quoted attribute too', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(escapeAttribute(text)).not.toMatch(/["<>\n\r|`]/);
        expect(shownText(escapeAttribute(text))).toBe(printable(text));
      }),
    );
  });
});

describe('a name in code', () => {
  test('is in backticks where nothing in it means anything', () => {
    expect(escapeCode('drain.iptables-01')).toBe('`drain.iptables-01`');
  });

  test.each(['a|b', 'a`b', String.raw`a\b`, '<b>', '*'])('is an element where it holds %s', (text) => {
    expect(escapeCode(text)).toBe(`<code>${escapeText(text)}</code>`);
  });

  test('that is empty is nothing', () => {
    expect(escapeCode('\n')).toBe('');
  });
});

describe('a code block', () => {
  test('has a fence longer than any in it', () => {
    expect(codeBlock('text', 'a\n````\nb')).toBe('`````text\na\n````\nb\n`````');
  });

  test('keeps the blanks that align it', () => {
    expect(codeBlock('text', '  a   b')).toBe('```text\n  a   b\n```');
  });

  test('holds no command of a workflow, and no character that acts', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const lines = codeBlock('text', text).split('\n').slice(1, -1);
        for (const line of lines) {
          expect(line).not.toMatch(/^\s*::|##\[|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
        }
      }),
    );
  });
});

describe('a link', () => {
  test.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://a', '//a', 'a b', ''])(
    'to %j is its text alone',
    (url) => {
      expect(escapeLink('run', url)).toBe('run');
    },
  );

  test('ends where it should, whatever the address holds', () => {
    expect(escapeLink('run', 'https://a.example/x)|(y?a=1&copy=2#"')).toBe(
      '[run](https://a.example/x%29%7C%28y?a=1&amp;copy=2#%22)',
    );
  });

  test('to an address that is longer than any is its text alone', () => {
    expect(escapeLink('run', `https://a.example/${'x'.repeat(3000)}`)).toBe('run');
  });
});
