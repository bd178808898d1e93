import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { AbsentArm, Aggregate, ArmAggregate, WatchGap } from '../../../src/domain/aggregate.ts';
import { measured, notMeasured } from '../../../src/domain/measured.ts';
import { publishedReference } from '../../../src/report/published.ts';
import { renderTable } from '../../../src/report/table.ts';
import { summarize } from '../../../src/stats/summarize.ts';
import { aggregateOf, all, armOf, environment, matrix, publishedArms } from './example-reports.ts';

const published = publishedReference();
const plain = (aggregate: Aggregate, width = 120) => renderTable(aggregate, { width, color: false, published });
const lineOf = (text: string, start: string) => text.split('\n').find((line) => line.startsWith(start));
const [exitNow, drain] = publishedArms;

const discarded: AbsentArm = {
  status: 'discarded',
  arm: drain.arm,
  label: drain.label,
  reason: '3 of 5 trials are complete; drain.iptables-04: flows-dialed is unmet',
  completeTrials: 3,
};
const skipped: AbsentArm = {
  status: 'skipped',
  arm: drain.arm,
  label: drain.label,
  reason: 'provider local has no Kubernetes API',
  completeTrials: 0,
};

describe('the first line', () => {
  test('is the answer: how many arms were as expected, how many trials, how long', () => {
    expect(plain(aggregateOf()).split('\n')[0]).toBe('drainwatch · 5 of 5 arms as expected · 25 trials in 5m 41s');
  });

  test('says that an arm was not as expected', () => {
    const bad: ArmAggregate = { ...exitNow, verdict: 'not-as-expected' };
    expect(plain(aggregateOf({ arms: [bad, drain] }))).toMatch(
      /^drainwatch · 1 of 2 arms as expected · 1 not as expected · 10 trials/,
    );
  });

  test('counts a discarded arm as not as expected, and a skipped one as neither', () => {
    expect(plain(aggregateOf({ arms: [exitNow, discarded] }))).toMatch(
      /^drainwatch · 1 of 2 arms as expected · 1 discarded · 5 trials/,
    );
    expect(plain(aggregateOf({ arms: [exitNow, skipped] }))).toMatch(
      /^drainwatch · 1 of 1 arm as expected · 1 skipped · 5 trials/,
    );
  });

  test('gives no duration that was not measured', () => {
    expect(plain(aggregateOf({ wallSeconds: notMeasured('resumed') })).split('\n')[0]).toMatch(/· 25 trials$/);
  });
});

describe('the second line', () => {
  test('is what the numbers hold for', () => {
    expect(plain(aggregateOf()).split('\n')[1]).toBe(
      'Kubernetes v1.34.0 · iptables · kindnet · 2 nodes · provider kind · commit 1a2b3c4',
    );
  });

  test('shows a dash and the reason for what could not be read', () => {
    const text = plain(
      aggregateOf({ environment: measured({ ...environment, proxyMode: notMeasured('kube-proxy did not answer') }) }),
    );
    expect(text.split('\n')[1]).toContain('proxy mode – [1]');
    expect(text).toContain('\n[1] kube-proxy did not answer\n');
  });

  test('says when the tool was built from uncommitted changes', () => {
    const dirty = { ...environment, tool: { ...environment.tool, dirty: true } };
    expect(plain(aggregateOf({ environment: measured(dirty) }))).toContain('commit 1a2b3c4 with uncommitted changes');
  });
});

describe('an arm in the table of outcomes', () => {
  test('says what became of the flows, when, and how the container ended', () => {
    const text = plain(aggregateOf(), 140);
    expect(lineOf(text, '✓ exits at once')).toMatch(
      /all reset at 45 ms \(30–98\) +all re-homed at 2409 ms \(392–2433\) +0$/,
    );
    expect(lineOf(text, '✓ ignores SIGTERM')).toMatch(/all reset at 30\.06 s \(30\.05–30\.06\) .* 137$/);
    expect(lineOf(text, '✓ drains · scale to 0')).toContain('all refused at 25.43 s (25.40–25.43)');
  });

  test('says how much of the drain was unused when UDP was taken away', () => {
    const values = { 'drain-left-at-udp-rehome': [22_861, 22_900, 22_800] } as const;
    const arm = armOf('drain', {
      tcp: all('drained-clean-close'),
      udp: all('severed (rehomed)'),
      udpRehomed: 10,
      repeats: 3,
      values,
    });
    expect(plain(aggregateOf({ arms: [arm] }), 140)).toMatch(/all re-homed at – \[\d\], 22\.86 s of drain unused/);
  });

  test('tells flows that were refused first and re-homed later', () => {
    const values = { 'trigger-to-first-udp-end': [392], 'trigger-to-first-udp-rehome': [2_409] } as const;
    const arm = armOf('exit-now', {
      tcp: all('severed (rst)'),
      udp: all('severed (icmp-unreachable)'),
      udpRehomed: 10,
      repeats: 1,
      values,
    });
    expect(plain(aggregateOf({ arms: [arm] }), 140)).toContain('all refused at 392 ms, then re-homed at 2409 ms');
  });

  test('counts flows where they did not end alike', () => {
    const tcp = [
      { outcome: 'severed (rst)', flows: 9 },
      { outcome: 'survived-observation-window', flows: 1 },
    ];
    const arm = armOf('exit-now', { tcp, udp: all('severed (rehomed)'), repeats: 2 });
    expect(plain(aggregateOf({ arms: [arm] }), 140)).toMatch(
      /18 of 20 reset, 2 of 20 survived, the last .*\n +at – \[1\]/,
    );
  });

  test('has no time for flows that survived', () => {
    const arm = armOf('drain', {
      tcp: all('survived-observation-window'),
      udp: all('survived-observation-window'),
      repeats: 1,
    });
    expect(lineOf(plain(aggregateOf({ arms: [arm] })), '✓ drains')).toMatch(/all survived +all survived +0$/);
  });

  test('counts exit codes that differ, and shows a dash for one that is unknown', () => {
    const arm = armOf('drain', { tcp: all('drained-clean-close'), udp: all('severed (silence)'), repeats: 3 });
    const [first, second, third] = arm.trials.map((trial, index) =>
      index === 0
        ? trial
        : { ...trial, exitCode: index === 1 ? measured(137) : notMeasured('no word of the container') },
    );
    const trials = [first, second, third].filter((trial) => trial !== undefined);
    expect(plain(aggregateOf({ arms: [{ ...arm, trials }] }), 160).replaceAll(/\s+/g, ' ')).toContain(
      '0 ×1, 137 ×1, – [',
    );
  });

  test('bears the level of a factor only where the run varies it', () => {
    const nftables = { ...drain, arm: { ...drain.arm, id: 'drain.nftables', proxyMode: 'nftables' } };
    expect(plain(aggregateOf({ arms: [drain, nftables] }))).toMatch(/^✓ drains · delete · iptables +all/m);
    expect(plain(aggregateOf({ arms: [drain, nftables] }))).toContain('drains · delete · nftables · n = 5');
    expect(plain(aggregateOf({ arms: [drain] }))).not.toContain('drains · delete · iptables');
  });
});

describe('right under the outcomes', () => {
  test('stands what was unexpected, once, with its trials', () => {
    const unexpected = ['TCP flows: 10 severed (rst), expected drained-clean-close'];
    const arm: ArmAggregate = {
      ...drain,
      verdict: 'not-as-expected',
      trials: drain.trials.map((trial, index) => (index < 2 ? { ...trial, unexpected } : trial)),
    };
    const text = plain(aggregateOf({ arms: [arm] }));
    expect(text.split('\n\n')[2]).toBe(
      '✗ drains · delete: TCP flows: 10 severed (rst), expected drained-clean-close (drain.iptables-01, drain.iptables-02)',
    );
  });

  test('stand disagreements of the repeats and drift, of an arm and of the run', () => {
    const arm: ArmAggregate = {
      ...drain,
      verdict: 'inconclusive',
      drift: ['CNI differs'],
      disagreements: ['exit codes differ'],
    };
    const [title, , under] = plain(aggregateOf({ arms: [arm], drift: ['client kernel differs'] })).split('\n\n');
    expect(title).toContain('1 inconclusive · circumstances drifted');
    expect(under?.split('\n')).toEqual([
      '! drift across arms: client kernel differs',
      '✗ drains · delete: not one experiment, no statistics: CNI differs',
      '! drains · delete: exit codes differ',
    ]);
  });

  test('stands what could not be judged, against the arm', () => {
    const inconclusive = ['the exit code was not measured: the watch was cut; expected 0'];
    const trials = drain.trials.map((trial, index) => (index === 0 ? { ...trial, inconclusive } : trial));
    const [title, , under] = plain(aggregateOf({ arms: [{ ...drain, verdict: 'inconclusive', trials }] })).split(
      '\n\n',
    );
    expect(title).toContain('0 of 1 arm as expected · 1 inconclusive');
    expect(under).toBe(
      '✗ drains · delete: the exit code was not measured: the watch was cut; expected 0 (drain.iptables-01)',
    );
  });

  test('stand the gaps of watches, with what may have been told of late', () => {
    const gaps: readonly WatchGap[] = [
      { resource: 'pods', gapMs: measured(812.4), late: ['container-terminated'] },
      { resource: 'endpointslices', gapMs: notMeasured('it was not open again'), late: [] },
    ];
    const trials = drain.trials.map((trial, index) => (index === 2 ? { ...trial, watchGaps: gaps } : trial));
    const under = renderTable(aggregateOf({ arms: [{ ...drain, trials }] }), { width: 200, color: false });
    expect(under.split('\n\n')[2]?.split('\n')).toEqual([
      '! drains · delete: the watch of pods was down for 812 ms; word of container-terminated may have come late by as much (drain.iptables-03)',
      '! drains · delete: the watch of endpointslices went down: it was not open again (drain.iptables-03)',
    ]);
  });

  test('stands nothing when all is well', () => {
    expect(plain(aggregateOf()).split('\n\n')[2]).toMatch(/^exits at once · delete · n = 5\n/);
  });
});

describe('a metric', () => {
  test('is shown as median and range, with n, beside the published value', () => {
    expect(lineOf(plain(aggregateOf()), 'dead-endpoint window')).toMatch(
      /^dead-endpoint window † +221 ms \(195–521\) +5 +221 ms \(195–521\)$/,
    );
  });

  test('that was not measured is a dash with its reason, and never a zero', () => {
    const reason = "endpoint-removed can't be observed: a plain process has no cluster";
    const metrics = ['trigger-to-endpoint-removed', 'dead-endpoint-window'].map((metric) => ({
      metric,
      summary: notMeasured(reason),
      precisions: [],
      notMeasured: exitNow.trials.map(({ id }) => ({ trial: id, reason })),
    }));
    const text = plain(aggregateOf({ arms: [exitNow, { ...drain, metrics }] }));
    const ofDrain = text.slice(text.lastIndexOf('drains · delete'));
    expect(lineOf(ofDrain, 'endpoint removed')).toMatch(/^endpoint removed +– \[1\] +0\/5/);
    expect(lineOf(ofDrain, 'dead-endpoint window')).toMatch(/^dead-endpoint window +– \[1\] +0\/5/);
    expect(text.match(/a plain process has no cluster/g)).toHaveLength(1);
  });

  test('has no table where no arm measured any', () => {
    const reason = 'the nodes are emulated in software: their times are not representative';
    const metrics = exitNow.metrics.map(({ metric }) => ({
      metric,
      summary: notMeasured(reason),
      precisions: [],
      notMeasured: exitNow.trials.map(({ id }) => ({ trial: id, reason })),
    }));
    const text = plain(aggregateOf({ arms: [{ ...exitNow, metrics }] }));
    expect(text).not.toMatch(/^exits at once · delete · n = 5$/m);
    expect(text).toMatch(/not measured: SIGTERM received, [^[]*:\s+the nodes\s+are emulated/);
  });

  test('that no arm measured has no row, and is named once with the reason', () => {
    const reason = "endpoint-removed can't be observed: a plain process has no cluster";
    const metrics = ['trigger-to-endpoint-removed', 'dead-endpoint-window'].map((metric) => ({
      metric,
      summary: notMeasured(reason),
      precisions: [],
      notMeasured: exitNow.trials.map(({ id }) => ({ trial: id, reason })),
    }));
    const text = plain(aggregateOf({ arms: [{ ...exitNow, metrics }] }));
    expect(text).toContain(`not measured: endpoint removed, dead-endpoint window: ${reason}`);
    expect(text.match(/dead-endpoint window/g)).toHaveLength(1);
  });

  test.each([
    { intervalMs: 0, isNamed: false },
    { intervalMs: 10, isNamed: true },
  ])('of new connections is named as not measured only where the matrix asks for it: $intervalMs ms', (each) => {
    const reason = 'the matrix asks for none';
    const metrics = ['new-tcp-failure-window', 'dead-endpoint-window'].map((metric) => ({
      metric,
      summary: notMeasured(reason),
      precisions: [],
      notMeasured: exitNow.trials.map(({ id }) => ({ trial: id, reason })),
    }));
    const asked = { ...matrix, newConnectionIntervalMs: each.intervalMs };
    const text = plain(aggregateOf({ arms: [{ ...exitNow, metrics }], matrix: asked }));
    expect(text.includes('new TCP failure window')).toBe(each.isNamed);
    expect(text).toContain('dead-endpoint window');
  });

  test('that some trials lack shows of how many it is, and why', () => {
    const metrics = [
      {
        metric: 'trigger-to-first-udp-rehome',
        summary: measured(summarize([2_409, 2_403, 2_433])),
        precisions: ['bounded'],
        notMeasured: exitNow.trials
          .slice(0, 2)
          .map(({ id }) => ({ trial: id, reason: 'no UDP flow was answered by another pod' })),
      },
    ];
    const text = renderTable(aggregateOf({ arms: [{ ...exitNow, metrics }] }), { width: 100, color: false });
    expect(lineOf(text, 'first UDP re-homed')).toMatch(/^first UDP re-homed ‡ +2409 ms \(2403–2433\) \[\d\] +3\/5$/);
    expect(text).toContain('no UDP flow was answered by another pod');
  });

  test('of one repeat has no range, and the note makes no claim of one', () => {
    const arm = armOf('drain', {
      tcp: all('drained-clean-close'),
      udp: [],
      repeats: 1,
      values: { 'trigger-to-sigterm': [40] },
    });
    const text = plain(aggregateOf({ arms: [arm] }));
    expect(lineOf(text, 'SIGTERM received')).toMatch(/^SIGTERM received † +40 ms +1 /);
    expect(text).toContain(
      'n = 1: one trial has no range; 0 failures of 1 still allows a failure rate of 95 % (95 % upper bound).',
    );
  });

  test('that mixes precisions is marked with all of them', () => {
    const [first, ...others] = exitNow.metrics;
    const mixed = first && { ...first, precisions: ['bounded', 'upper-bound'] };
    expect(mixed && plain(aggregateOf({ arms: [{ ...exitNow, metrics: [mixed, ...others] }] }))).toMatch(
      /^SIGTERM received ‡† /m,
    );
  });

  test.each([
    ['upper-bound', '†', 'ends at a time of receipt: it was no more.'],
    ['lower-bound', '§', 'starts at a time of receipt: it was no less.'],
    ['unbounded', '¶', 'lies between two times of receipt: it may have been less or more.'],
    ['bounded', '‡', 'includes a time known within bounds, which every trial report holds.'],
  ])('that is %s is marked %s, and the mark explained', (precision, mark, meaning) => {
    const metric = 'first-udp-end-minus-exit';
    const metrics = [{ metric, summary: measured(summarize([100])), precisions: [precision], notMeasured: [] }];
    const text = plain(aggregateOf({ arms: [{ ...exitNow, metrics }] }));
    expect(lineOf(text, `container exit → first UDP end ${mark}`) ?? text).toContain('100 ms');
    expect(text).toContain(`${mark} ${meaning}`);
  });

  test('that nobody registered is shown under its own name', () => {
    const metrics = [
      { metric: 'from-the-future', summary: measured(summarize([1, 2])), precisions: ['exact'], notMeasured: [] },
    ];
    expect(plain(aggregateOf({ arms: [{ ...exitNow, metrics }] }))).toMatch(/^from-the-future +2 ms \(1–2\) /m);
  });

  test('stands alone where the published run has no such arm, or another grace period', () => {
    const ready = armOf('drain-ready', { tcp: all('drained-clean-close'), udp: all('severed (silence)') });
    expect(plain(aggregateOf({ arms: [ready] }))).not.toContain('published, arm');
    const shortened = plain(aggregateOf({ matrix: { ...matrix, gracePeriodSeconds: 10 } }));
    expect(shortened).not.toContain('published, arm');
    expect(shortened).not.toContain('Published:');
  });
});

describe('an arm that is not averaged', () => {
  test('is named with its reason, and has no row among the averages', () => {
    const text = plain(aggregateOf({ arms: [exitNow, discarded] }));
    expect(text).toContain(
      'discarded, not averaged: drains · delete: 3 of 5 trials are complete; drain.iptables-04: flows-dialed is unmet',
    );
    expect(text).not.toContain('✓ drains');
    expect(text).not.toContain('drains · delete · n =');
  });

  test('leaves a table that says so when there is no other', () => {
    expect(plain(aggregateOf({ arms: [discarded] }))).toContain('No arm is complete: there is nothing to average.');
  });
});

describe('a first trial on a cluster', () => {
  test('is marked, with the metrics whose maximum it is', () => {
    const text = plain(aggregateOf({ arms: [exitNow] }), 160);
    expect(text).toContain(
      'first on its cluster: exit-now.iptables-01, and the maximum of: container terminated, endpoint removed, dead-endpoint window, SIGTERM',
    );
  });

  test('is no maximum where another trial is as great', () => {
    const arm = armOf('drain', {
      tcp: all('drained-clean-close'),
      udp: [],
      repeats: 2,
      values: { 'trigger-to-sigterm': [40, 40] },
    });
    expect(plain(aggregateOf({ arms: [arm] }))).toMatch(/^first on its cluster: drain\.iptables-01$/m);
  });

  test('is found among the trials that measured the metric', () => {
    const [first, ...others] = exitNow.trials;
    const metric = {
      metric: 'trigger-to-sigterm',
      summary: measured(summarize([96, 34, 40, 29])),
      precisions: ['exact'],
      notMeasured: first === undefined ? [] : [{ trial: first.id, reason: 'unseen' }],
    };
    expect(others).toHaveLength(4);
    expect(plain(aggregateOf({ arms: [{ ...exitNow, metrics: [metric] }] }))).toMatch(
      /^first on its cluster: exit-now\.iptables-01$/m,
    );
  });
});

test('the last lines say what n repeats can bear', () => {
  const text = plain(aggregateOf(), 200);
  expect(text).toContain(
    'n = 5: the range covers the true median with 93.75 %; 0 failures of 5 still allows a failure rate of 45 % (95 % upper bound).',
  );
  expect(text).toContain('5 warm-ups ran before and are in no number above.');
  expect(text.replaceAll(/\s+/g, ' ')).toContain(`Published: ${published.source}`);
});

test('what the times rest on is said: the clocks, and the delay of the client’s stamps', () => {
  const [first, ...others] = exitNow.trials;
  const trials = first === undefined ? [] : [{ ...first, clock: 'bounded' as const, stampDelayMs: 17.2 }, ...others];
  expect(plain(aggregateOf({ arms: [{ ...exitNow, trials }] }), 200)).toContain(
    'One clock of probe and client was shown in 4 of 5 trials, so the probe’s times are exact there; the client’s own stamps were late by at most 18 ms.',
  );
});

test('failed attempts are named with their reasons', () => {
  const failedAttempts = [{ trial: 'drain.iptables-02', reason: 'the watch was refused' }];
  expect(plain(aggregateOf({ failedAttempts }))).toContain('failed attempt: drain.iptables-02: the watch was refused');
});

describe('the layout', () => {
  test.each([72, 80, 100, 132, 200])('keeps within %s columns', (width) => {
    const lines = plain(aggregateOf({ arms: [...publishedArms, discarded] }), width).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
  });

  test('loses nothing of a metric at 80 columns', () => {
    const squeezed = plain(aggregateOf(), 80);
    for (const label of ['SIGTERM → endpoint removed', 'drain left at UDP re-home', '(−23.05 – −22.81)']) {
      expect(squeezed).toContain(label);
    }
    expect(squeezed).not.toContain('…');
  });

  test('has colours only where they are asked for, and the same text with them', () => {
    const coloured = renderTable(aggregateOf(), { width: 120, color: true, published });
    expect(coloured).toContain('\u001b[32m');
    expect(plain(aggregateOf())).not.toContain('\u001b');
    expect(stripVTControlCharacters(coloured)).toBe(plain(aggregateOf()));
  });

  test('is moved by no hostile text, and lets no control character through', () => {
    const hostile = 'x\u001b[2J\r\n\n| y | \u202e\u0007\u009b31m' + 'z'.repeat(300);
    const metric = {
      metric: hostile,
      summary: notMeasured(hostile),
      precisions: [hostile],
      notMeasured: [{ trial: hostile, reason: hostile }],
    };
    const arm: ArmAggregate = {
      ...exitNow,
      label: hostile,
      arm: { id: hostile, scenario: hostile, proxyMode: hostile, kubernetesVersion: hostile },
      disagreements: [hostile],
      drift: [hostile],
      trials: [
        {
          id: hostile,
          firstOnCluster: true,
          tcp: all(hostile),
          udp: all(hostile),
          udpRehomed: 0,
          causes: [
            {
              protocol: 'udp',
              outcome: hostile,
              cause: 'conntrack-cleared-rehomed',
              by: hostile,
              flows: 1,
              contradicted: 1,
            },
          ],
          exitCode: notMeasured(hostile),
          clock: 'unrelated',
          stampDelayMs: 0,
          watchGaps: [{ resource: hostile, gapMs: notMeasured(hostile), late: [] }],
          unexpected: [hostile],
          inconclusive: [hostile],
        },
      ],
      metrics: [metric],
    };
    const aggregate = aggregateOf({
      arms: [arm, exitNow, { ...discarded, label: hostile, reason: hostile }],
      drift: [hostile],
      environment: measured({
        ...environment,
        cni: measured(hostile),
        proxyMode: notMeasured(hostile),
        provider: hostile,
      }),
      failedAttempts: [{ trial: hostile, reason: hostile }],
    });
    const text = plain(aggregate, 80);
    expect(text).not.toMatch(/[^\P{C}\n]/u);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(text).toMatch(/^dead-endpoint window † +221 ms \(195–521\) +5 +221 ms \(195–521\)$/m);
  });
});
