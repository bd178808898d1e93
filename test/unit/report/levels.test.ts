import { describe, expect, test } from 'vitest';
import type { Aggregate } from '../../../src/domain/aggregate.ts';
import { aggregateSchema } from '../../../src/report/aggregate-schema.ts';
import { environmentFacts } from '../../../src/report/headline.ts';
import { Footnotes } from '../../../src/report/footnotes.ts';
import { renderHtml } from '../../../src/report/html/page.ts';
import { levelRemarks } from '../../../src/report/levels/remarks.ts';
import { levelSentences } from '../../../src/report/levels/sentences.ts';
import { renderComment } from '../../../src/report/markdown/comment.ts';
import { renderSummary } from '../../../src/report/markdown/summary.ts';
import { renderTable } from '../../../src/report/table.ts';
import { unbound } from '../../../src/report/text-layout.ts';
import { aggregateOf, all } from './example-reports.ts';
import { shownText } from './hostile-texts.ts';
import {
  armAtLevel,
  comparisonOf,
  fewer,
  leveledAggregate,
  modeArms,
  rehomedDrain,
  stayedDrain,
  versionArms,
} from './level-examples.ts';

const modes = leveledAggregate(modeArms);
const context = { at: '2026-11-29T18:20:31.000Z' };
const table = (aggregate: Aggregate, width = 140) => unbound(renderTable(aggregate, { width, color: false }));
const comment = (aggregate: Aggregate) => unbound(shownText(renderComment({ aggregate, context })));
const sentencesOf = (aggregate: Aggregate) =>
  aggregate.comparisons.flatMap((comparison) => levelSentences(aggregate, comparison));

describe('levels side by side', () => {
  test('are a row a scenario and a column a level, with outcomes, the first UDP end and why a level has none', () => {
    const lines = comment(modes).split('\n');
    expect(lines).toContain('| how the pod was ended | iptables, n = 5 | nftables, n = 5 | cilium, n = 5 | ipvs |');
    expect(lines).toContain(
      '| drains · delete | ✓ TCP all closed cleanly; UDP all re-homed at 2281 ms (2181–2302); exit 0 ' +
        '| ✓ TCP all closed cleanly; UDP all re-homed at 2284 ms (2184–2305); exit 0 ' +
        '| ✓ TCP all closed cleanly; UDP all refused at 25.05 s (25.02–25.07), then re-homed at 25.45 s (25.43–25.47); exit 0 ' +
        '| skipped [1] |',
    );
    expect(lines).toContain('[1] the kernel has no ip_vs module');
  });

  test.each([
    ['the terminal', (aggregate: Aggregate) => table(aggregate)],
    ['a comment', comment],
    ['a summary', (aggregate: Aggregate) => shownText(renderSummary({ aggregate, context }))],
    ['a page', (aggregate: Aggregate) => renderHtml({ aggregate, context })],
  ])('stand in %s, and not where a run has one level', (_, write) => {
    expect(write(modes)).toContain('Proxy modes side by side');
    expect(write(leveledAggregate(versionArms))).toContain('Kubernetes versions side by side');
    expect(write(aggregateOf())).not.toContain('side by side');
  });

  test('keep to the terminal’s width, with the reference beside every other level', () => {
    for (const width of [40, 72, 100, 160]) {
      const text = table(modes, width);
      expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(Math.max(72, width));
      for (const level of ['nftables', 'cilium', 'ipvs']) expect(text).toContain(level);
    }
  });

  test('say in what else they were not measured alike', () => {
    const [comparison] = modes.comparisons;
    if (comparison === undefined) throw new Error('there is one');
    const aggregate = { ...modes, comparisons: [{ ...comparison, alsoDiffer: ['CNI: kindnet / cilium'] }] };
    expect(table(aggregate)).toContain('! not alike besides, so a difference may be of it: CNI: kindnet / cilium');
    expect(comment(aggregate)).toContain('CNI: kindnet / cilium');
  });

  test('are named in what the numbers hold for, instead of the first one’s mode', () => {
    expect(environmentFacts(modes, new Footnotes())).toContain('iptables, nftables, cilium');
    expect(environmentFacts(leveledAggregate(versionArms), new Footnotes())).toContain('Kubernetes v1.34, v1.37');
  });
});

describe('a sentence', () => {
  test('says what becomes of held flows under which level, and what supports it', () => {
    expect(sentencesOf(modes)).toEqual([
      {
        supported: true,
        text:
          'UDP, drains · delete and drains · evict: under iptables and nftables held flows are re-homed to another pod ' +
          'once the replacement is ready; under cilium they stay on the terminating pod until it exits, then are refused, ' +
          'and later re-homed to another pod (exact tests, p = 0.016 or less).',
      },
      {
        supported: false,
        text: 'In all scenarios held TCP flows ended alike under iptables, nftables and cilium.',
      },
    ]);
  });

  test('is made of the data: with the modes changed about it says the reverse', () => {
    const [first] = sentencesOf(
      leveledAggregate([
        armAtLevel('drain', { proxyMode: 'cilium' }, rehomedDrain()),
        armAtLevel('drain', { proxyMode: 'iptables' }, stayedDrain()),
      ]),
    );
    expect(first?.text).toContain(
      'under cilium held flows are re-homed to another pod once the replacement is ready; ' +
        'under iptables they stay on the terminating pod until it exits',
    );
  });

  test('says of what too few repeats have shown that it was only seen', () => {
    const [first] = sentencesOf(
      leveledAggregate([
        armAtLevel('drain', { proxyMode: 'iptables' }, fewer(rehomedDrain(), 2)),
        armAtLevel('drain', { proxyMode: 'cilium' }, fewer(stayedDrain(), 2)),
      ]),
    );
    expect(first).toMatchObject({ supported: false });
    expect(first?.text).toContain('(seen, but so few repeats can’t tell it from chance)');
  });

  test('tells nothing of lost flows that were refused under one level and fell silent under another, unless a test does', () => {
    const at = (proxyMode: string, outcome: string, repeats: number) =>
      armAtLevel('drain', { proxyMode }, { ...fewer(stayedDrain(), repeats), udp: all(outcome) });
    const texts = (repeats: number) =>
      sentencesOf(
        leveledAggregate([at('a', 'severed (icmp-unreachable)', repeats), at('b', 'severed (silence)', repeats)]),
      ).map(({ text }) => text);
    expect(texts(2)).toContain(
      'In all scenarios held UDP flows ended alike under a and b; whether lost ones are refused or fall silent varies.',
    );
    expect(texts(5)[0]).toContain('under b they stay on the terminating pod until it exits, then fall silent');
  });

  test('tells of times that differ where flows end in the same ways', () => {
    const texts = sentencesOf(leveledAggregate(versionArms)).map(({ text }) => unbound(text));
    expect(texts).toContain(
      'first UDP re-homed, drains · delete · iptables: 1381 ms (1281–1402) under Kubernetes v1.37, ' +
        '2281 ms (2181–2302) under Kubernetes v1.34; shift −900.0 ms (−1000.0 to −800.0), p = 0.008.',
    );
  });
});

describe('the remarks on differences', () => {
  test('say what so few repeats can show at best, and what all questions together leave of it', () => {
    const text = unbound(levelRemarks(comparisonOf(modeArms)).join('\n'));
    expect(text).toContain('5 against 5 repeats have no p below 0.008');
    expect(text).toMatch(/Corrected for all \d+ tests together, 0 of \d+ shifts hold; that takes at least \d+ repeats/);
  });

  test('count what was decided and what was not', () => {
    expect(levelRemarks(comparisonOf(modeArms))[0]).toMatch(
      /^\d+ differences of times: \d+ shifted, \d+ shown not to, \d+ undecided, \d+ measured at one of the two levels alone\.$/,
    );
  });
});

test('a comment on many arms keeps to its limit and has the answers, whatever else is left out', () => {
  const scenarios = ['exit-now', 'drain', 'ignore', 'drain-evict', 'drain-scale', 'drain-ready'];
  const arms = scenarios.flatMap((scenario) =>
    ['iptables', 'nftables', 'ipvs', 'cilium'].map((proxyMode, index) =>
      armAtLevel(scenario, { proxyMode }, index < 3 ? rehomedDrain(index) : stayedDrain()),
    ),
  );
  const text = renderComment({ aggregate: leveledAggregate(arms), context });
  expect(text.length).toBeLessThanOrEqual(65_536);
  expect(text).toContain('Proxy modes side by side');
  expect(text).toContain('stay on the terminating pod until it exits');
});

test('an aggregate survives being written and read with its comparisons, and one without them is read as having none', () => {
  const json = JSON.parse(JSON.stringify(modes)) as Record<string, unknown>;
  expect(aggregateSchema.parse(json)).toEqual(modes);
  delete json.comparisons;
  expect(aggregateSchema.parse(json).comparisons).toEqual([]);
});

test('names of levels that would be markup or terminal commands are only shown', () => {
  const aggregate = leveledAggregate([
    armAtLevel('drain', { proxyMode: 'iptables' }, rehomedDrain()),
    armAtLevel('drain', { proxyMode: '@all <img src=x> \u001b[31m|' }, stayedDrain()),
  ]);
  expect(table(aggregate)).not.toContain('\u001b');
  for (const text of [renderComment({ aggregate, context }), renderHtml({ aggregate, context })]) {
    expect(text).not.toContain('\u001b');
  }
});
