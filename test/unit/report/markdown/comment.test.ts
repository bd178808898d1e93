import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Aggregate, ArmAggregate } from '../../../../src/domain/aggregate.ts';
import { measured, notMeasured } from '../../../../src/domain/measured.ts';
import { renderComment } from '../../../../src/report/markdown/comment.ts';
import type { MarkdownInput } from '../../../../src/report/markdown/report.ts';
import { publishedReference } from '../../../../src/report/published.ts';
import { unbound } from '../../../../src/report/text-layout.ts';
import { aggregateOf, all, armOf, environment, matrix, publishedArms } from '../example-reports.ts';
import { aggregateWithTexts } from '../hostile-aggregate.ts';
import { hostile, shownText } from '../hostile-texts.ts';

const published = publishedReference();
const context = {
  repository: 'octo/cat',
  runUrl: 'https://github.example/octo/cat/actions/runs/1',
  reportUrl: 'https://github.example/octo/cat/actions/runs/1#report',
  headSha: '1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d',
  at: '2026-11-29T18:20:31.000Z',
};
const inputOf = (aggregate: Aggregate, changes: Partial<MarkdownInput> = {}): MarkdownInput => ({
  aggregate,
  published,
  context,
  ...changes,
});
/** As GitHub shows it, but for structure: one can read it, and it has no no-break spaces. */
const shown = (aggregate: Aggregate, changes: Partial<MarkdownInput> = {}) =>
  unbound(shownText(renderComment(inputOf(aggregate, changes))));
const [exitNow, drain] = publishedArms;

describe('the first line of a comment', () => {
  test('is the answer', () => {
    expect(shown(aggregateOf())).toMatch(/^### drainwatch · 5 of 5 arms as expected · 25 trials in 5m 41s\n/);
  });

  test('is what is wrong, where something is', () => {
    const bad: ArmAggregate = { ...exitNow, verdict: 'not-as-expected' };
    expect(shown(aggregateOf({ arms: [bad, drain], drift: ['client kernel differs'] }))).toMatch(
      /^### ✗ drainwatch · 1 of 2 arms not as expected · circumstances drifted · 1 as expected · 10 trials/,
    );
  });
});

test('what the numbers hold for, where they are from and when they were made stands right under it', () => {
  expect(shown(aggregateOf()).split('\n').slice(2, 5)).toEqual([
    'Kubernetes v1.34.0 · iptables · kindnet · 2 nodes · provider kind\\',
    'grace 30 s · drain 25 s · settle 10 s · 10 TCP flows, a heartbeat every 500 ms · 10 UDP flows, a datagram every 20 ms\\',
    'octo/cat at `1a2b3c4` · measured by drainwatch 0.1.0 (`1a2b3c4`) · ' +
      '[run](https://github.example/octo/cat/actions/runs/1) · ' +
      '[full report](https://github.example/octo/cat/actions/runs/1#report) · 2026-11-29 18:20 UTC',
  ]);
});

describe('an arm in the table', () => {
  test('says what became of its flows, when, and how its container ended', () => {
    expect(shown(aggregateOf())).toContain(
      '| ✓ exits at once · delete | all reset at 45 ms (30–98) | all re-homed at 2409 ms (392–2433) | 0 |\n',
    );
  });

  test('that is not as expected says what was expected', () => {
    const arm: ArmAggregate = {
      ...armOf('drain', { tcp: all('severed (rst)'), udp: all('severed (rehomed)'), exitCode: 137 }),
      verdict: 'not-as-expected',
    };
    const row = shown(aggregateOf({ arms: [arm] }))
      .split('\n')
      .find((line) => line.includes('✗ drains'));
    expect(row).toMatch(/\(expected: all closed cleanly\).*137 <strong>\(expected: 0\)<\/strong> \|$/);
  });

  test('that is not as expected in one way says nothing of the others', () => {
    const arm: ArmAggregate = {
      ...drain,
      trials: drain.trials.map((trial) => ({ ...trial, exitCode: measured(1) })),
      verdict: 'not-as-expected',
    };
    const text = shown(aggregateOf({ arms: [arm] }));
    expect(text).toContain('(expected: 0)');
    expect(text).not.toContain('expected: all');
  });
});

test('what stands against the run is listed under the table', () => {
  const arm: ArmAggregate = { ...drain, verdict: 'inconclusive', disagreements: ['exit codes differ'] };
  const text = shown(
    aggregateOf({
      arms: [
        arm,
        { status: 'discarded', arm: exitNow.arm, label: exitNow.label, reason: '3 of 5 trials', completeTrials: 3 },
      ],
      failedAttempts: [{ trial: 'exit-now.iptables-04', reason: 'no route to host' }],
    }),
  );
  expect(text).toContain('\n- ! drains · delete: exit codes differ\n');
  expect(text).toContain('\n- discarded, not averaged: exits at once · delete: 3 of 5 trials\n');
  expect(text).toContain('\n- failed attempt: exit-now.iptables-04: no route to host\n');
});

describe('a finding', () => {
  test('tells how long the EndpointSlice held the dead pod, in each arm, with range and n', () => {
    expect(shown(aggregateOf())).toContain(
      '<strong>The EndpointSlice held the dead pod for 221 ms (195–521)</strong> after exits at once · delete, ' +
        '253 ms (206–353) after drains · delete, 206 ms (187–250) after ignores SIGTERM · delete, ' +
        '206 ms (177–715) after drains · evict, 211 ms (169–310) after drains · scale to 0 ' +
        '(from the last TCP end to word of the removed endpoint; median (min–max) of n = 5).',
    );
  });

  test('tells how much of the drain was left when UDP was re-homed', () => {
    const values = {
      'drain-left-at-udp-rehome': [22_861, 22_900, 22_800],
      'trigger-to-first-udp-rehome': [2_417, 2_411, 2_433],
    } as const;
    const arm = armOf('drain', { tcp: all('drained-clean-close'), udp: all('severed (rehomed)'), repeats: 3, values });
    expect(shown(aggregateOf({ arms: [arm] }))).toContain(
      '<strong>UDP was re-homed with 22.86 s (22.80–22.90) of drain unused</strong> after drains · delete, ' +
        'at 2417 ms (2411–2433) (median (min–max) of n = 3).',
    );
  });

  test('that was not measured is a dash with the reason', () => {
    const reason = "endpoint-removed can't be observed: a plain process has no cluster";
    const arm = armOf('drain', { tcp: all('drained-clean-close'), udp: all('severed (silence)'), repeats: 1 });
    const metrics = arm.metrics.map((metric) => ({
      ...metric,
      summary: notMeasured(reason),
      notMeasured: [{ trial: 'drain.iptables-01', reason }],
    }));
    expect(shown(aggregateOf({ arms: [{ ...arm, metrics }] }))).toContain(
      `\nHow long the EndpointSlice held a dead pod: – (${reason})\n`,
    );
  });
});

describe('images', () => {
  const images = [
    { name: 'ends', alt: 'When flows ended', lightUrl: 'https://i.example/a.png', darkUrl: 'https://i.example/b.png' },
  ];

  test('stand in their light and dark form, with their words', () => {
    expect(renderComment(inputOf(aggregateOf(), { images }))).toContain(
      [
        '<picture>',
        '  <source media="(prefers-color-scheme: dark)" srcset="https://i.example/b.png">',
        '  <img alt="When flows ended" src="https://i.example/a.png">',
        '</picture>',
      ].join('\n'),
    );
  });

  test('at an address that is none of the web are left out', () => {
    const [image] = images;
    const odd = image === undefined ? [] : [{ ...image, lightUrl: 'javascript:alert(1)' }];
    expect(renderComment(inputOf(aggregateOf(), { images: odd }))).not.toContain('<picture>');
  });
});

test('trials are marks on an axis in a code block', () => {
  expect(renderComment(inputOf(aggregateOf()))).toMatch(/```text\ndead-endpoint window[^`]+221 ms \(195–521\)[^`]+```/);
});

describe('every trial', () => {
  const rows = shown(aggregateOf())
    .split('\n')
    .filter((line) => line.startsWith('| `'));

  test('has a row, with its times in its own place', () => {
    const trials = rows.filter((row) => /iptables-0\d/.test(row));
    expect(trials).toHaveLength(25);
    expect(trials[1]).toBe(
      '| `exit-now.iptables-02` | all reset | all re-homed | 0 | 96 ms | 98 ms | 2403 ms | 285 ms | 293 ms |',
    );
  });

  test('that was first on its cluster is marked', () => {
    expect(rows.filter((row) => row.includes('` ◇ |'))).toHaveLength(5);
  });

  test('that did not measure a time has a dash there, and the others keep theirs', () => {
    const [first] = drain.trials;
    const metrics = drain.metrics.map((metric) =>
      metric.metric === 'trigger-to-sigterm' && metric.summary.status === 'measured'
        ? {
            ...metric,
            summary: measured({ ...metric.summary.value, n: 4, values: [1, 2, 3, 4] }),
            notMeasured: [{ trial: first?.id ?? '', reason: 'no log' }],
          }
        : metric,
    );
    const text = shown(aggregateOf({ arms: [{ ...drain, metrics }] }));
    expect(text).toMatch(/`drain\.iptables-01` ◇ \| [^|]+ \| [^|]+ \| 0 \| – \[1\] \|/);
    expect(text).toMatch(/`drain\.iptables-02` \| [^|]+ \| [^|]+ \| 0 \| 1 ms \|/);
    expect(text).toContain('[1] no log');
  });
});

test('the command that reproduces a run names its version, provider, image and workers', () => {
  const text = shown(
    aggregateOf({ environment: measured({ ...environment, nodeImage: measured('kindest/node:v1.34.0 sha256:0123') }) }),
  );
  expect(text).toContain('In a checkout of drainwatch 0.1.0 at `1a2b3c4d5e6f`, with the matrix below as `matrix.yaml`');
  expect(text).toContain(
    '```sh\nnode dist/cli.js run --matrix matrix.yaml --provider kind --node-image kindest/node:v1.34.0 --workers 1\n```',
  );
  expect(text).toContain(`\`\`\`yaml\nname: ${matrix.name}\n`);
});

describe('a comment that would be too long', () => {
  const huge = aggregateOf({
    arms: publishedArms.map((arm) => ({
      ...arm,
      trials: Array.from({ length: 400 }, (_, index) => ({ ...arm.trials[1], id: `${arm.arm.id}-${index}` })),
    })) as unknown as Aggregate['arms'],
  });

  test('leaves out whole sections, says which, and links the full report', () => {
    const text = renderComment(inputOf(huge));
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(text).toContain(
      'Left out, because GitHub takes 65,536 characters: Every trial. They are in the [full report](https://github.example/octo/cat/actions/runs/1#report).',
    );
    expect(text).not.toContain('<summary>Every trial</summary>');
    expect(text).toContain('<summary>All metrics');
  });

  test('loses the least important first: the outcomes go last', () => {
    const whole = renderComment(inputOf(aggregateOf())).length;
    const lengths = Array.from({ length: 40 }, (_, index) => Math.ceil((whole * (40 - index)) / 40));
    const kept = lengths.flatMap((characters) => {
      try {
        return [renderComment(inputOf(aggregateOf()), { characters })];
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
        return [];
      }
    });
    const firstWithout = (mark: string) => {
      const index = kept.findIndex((text) => !text.includes(mark));
      return index === -1 ? kept.length : index;
    };
    const order = [
      '<summary>Every trial',
      '<summary>All metrics',
      '<summary>Environment',
      'n = 5: the range',
      '| ✓ drains',
    ];
    const places = order.map(firstWithout);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(new Set(places).size).toBe(order.length);
    expect(
      kept.every((text) => (text.match(/<details>/g) ?? []).length === (text.match(/<\/details>/g) ?? []).length),
    ).toBe(true);
  });

  test(
    'is never longer than asked for, and keeps its first line, whatever the texts in it are',
    { timeout: 60_000 },
    () => {
      const long = fc.oneof(
        hostile,
        fc.constantFrom('@', '#1', '\u{e0001}', '🙂', 'x y ').map((text) => text.repeat(2000)),
      );
      fc.assert(
        fc.property(
          fc.array(long, { minLength: 1, maxLength: 20 }),
          fc.integer({ min: 40_000, max: 65_536 }),
          (texts, characters) => {
            let next = 0;
            const aggregate = aggregateWithTexts(() => texts[next++ % texts.length] ?? '');
            const text = renderComment(inputOf(aggregate), { characters });
            expect(text.length).toBeLessThanOrEqual(characters);
            expect(Buffer.byteLength(text)).toBeLessThanOrEqual(262_144);
            expect(text).toMatch(/^### ✗ drainwatch · 1 of 3 arms not as expected/);
          },
        ),
        { numRuns: 40 },
      );
    },
  );
});

test('nothing in a comment is a command to a runner that it is printed by', () => {
  for (const text of ['::set-output name=a::b', '##[error]x', 'a\n::error::x']) {
    const comment = renderComment(inputOf(aggregateWithTexts(() => text)));
    expect(comment).not.toMatch(/^\s*::/m);
    expect(comment).not.toContain('##[');
  }
});
