import { expect, test } from 'vitest';
import { levelsOf } from '../../../src/report/document/levels.ts';
import { outcomes } from '../../../src/report/document/outcomes.ts';
import { findings } from '../../../src/report/findings.ts';
import { writeSection } from '../../../src/report/markdown/write.ts';
import { renderTable } from '../../../src/report/table.ts';
import { aggregateOf, all } from './example-reports.ts';
import { armAtLevel, comparisonOf } from './level-examples.ts';

const udp = all('severed (icmp-unreachable)');
const lost = armAtLevel('drain', { proxyMode: 'cilium' }, { tcp: all('severed (rst)'), udp, repeats: 2 });
const kept = armAtLevel('drain', { proxyMode: 'iptables' }, { tcp: all('drained-clean-close'), udp, repeats: 2 });
const aggregate = aggregateOf({ arms: [kept, lost] });
const text = (of = aggregate) => renderTable(of, { width: 400, color: false });

test('flows that are lost as expected are told of, of the arm that lost them alone', () => {
  expect(findings(aggregate, ({ arm }) => arm.id)).toEqual([
    {
      severity: 'warning',
      text: 'drain.cilium: 20 of 20 TCP flows were lost although the application drained: as expected of this data plane, which keeps no flow of a pod that is neither ready nor serving',
    },
  ]);
  expect(text()).toContain('20 of 20 TCP flows were lost although the application drained');
  expect(text()).toContain('as the scenario expects of its data plane, which loses flows where a line says so');
});

test('a scenario that is to lose its flows has no such line', () => {
  const reset = armAtLevel('exit-now', { proxyMode: 'cilium' }, { tcp: all('severed (rst)'), udp });
  expect(findings(aggregateOf({ arms: [reset] }), ({ arm }) => arm.id)).toEqual([]);
  expect(text(aggregateOf({ arms: [reset] }))).toContain('as the scenario expects. What becomes of UDP');
});

test('modes side by side say it in the cell', () => {
  const both = { ...aggregate, comparisons: [comparisonOf([kept, lost])] };
  const [table] = levelsOf(both, { most: 10 })
    .map((block) => JSON.stringify(block))
    .filter((block) => block.includes('✓'));
  expect(table).toContain('TCP all reset, lost as expected');
  expect(table).not.toContain('closed cleanly, lost');
});

test('a mode that ends otherwise than its data plane leads to expect is shown beside that', () => {
  const strange = { ...lost, verdict: 'not-as-expected', trials: kept.trials } as const;
  const shown = writeSection(
    { title: '', folded: false, rank: 0, blocks: outcomes(aggregateOf({ arms: [strange] }), { most: 10 }) },
    { headings: false },
  );
  expect(shown).toContain('(expected: all reset or timed out)');
});
