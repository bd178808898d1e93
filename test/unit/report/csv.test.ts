import { describe, expect, test } from 'vitest';
import type { Flow } from '../../../src/domain/flow.ts';
import { measured, notMeasured } from '../../../src/domain/measured.ts';
import type { TrialReport } from '../../../src/domain/trial.ts';
import { flowsCsv, metricsCsv, type CsvTable } from '../../../src/report/csv.ts';
import { bounded, flow, rehomed, reset } from '../metrics/example-trial.ts';
import { exampleReport } from './example-reports.ts';

/** Rows by column name; for tables without quotes in them. */
function rowsOf(table: CsvTable, report: TrialReport): readonly Readonly<Record<string, string>>[] {
  const names = table.header().trimEnd().split(',');
  return table
    .rows(report)
    .trimEnd()
    .split('\n')
    .map((line) =>
      Object.fromEntries(line.split(',').map((cell, index) => [names[index] ?? 'beyond the header', cell])),
    );
}

const withMetrics = (metrics: TrialReport['metrics']): TrialReport => ({ ...exampleReport(1), metrics });
const withFlow = (one: Flow): TrialReport => {
  const report = exampleReport(1);
  return { ...report, trial: { ...report.trial, flows: [one] } };
};

describe('a metric in a table', () => {
  test.each(['lower-bound', 'unbounded'] as const)('says that a difference is %s', (precision) => {
    const report = withMetrics({ 'first-udp-end-minus-exit': measured({ value: 100, precision }) });
    expect(rowsOf(metricsCsv, report)).toMatchObject([{ value: '100', precision }]);
  });

  test('has its value, unit and precision', () => {
    const report = withMetrics({ 'trigger-to-sigterm': measured({ value: 40.25, precision: 'exact' }) });
    expect(rowsOf(metricsCsv, report)).toEqual([
      {
        trial: 'drain.iptables-01',
        arm: 'drain.iptables',
        scenario: 'drain',
        proxyMode: 'iptables',
        kubernetesVersion: '',
        repeat: '1',
        firstOnCluster: 'true',
        startedAt: '2026-09-01T12:00:00.000Z',
        metric: 'trigger-to-sigterm',
        unit: 'ms',
        value: '40.25',
        precision: 'exact',
        notMeasuredBecause: '',
      },
    ]);
  });

  test('that was not measured has an empty cell and a reason, never a zero', () => {
    const report = withMetrics({ 'trigger-to-sigterm': notMeasured('unseen') });
    expect(rowsOf(metricsCsv, report)).toMatchObject([{ value: '', precision: '', notMeasuredBecause: 'unseen' }]);
  });

  test('of zero is a zero', () => {
    const report = withMetrics({ 'trigger-to-sigterm': measured({ value: 0, precision: 'exact' }) });
    expect(rowsOf(metricsCsv, report)).toMatchObject([{ value: '0', notMeasuredBecause: '' }]);
  });

  test('that is negative stays a number', () => {
    const report = withMetrics({ 'sigterm-to-ready-false': measured({ value: -16, precision: 'upper-bound' }) });
    expect(rowsOf(metricsCsv, report)).toMatchObject([{ value: '-16' }]);
  });
});

describe('a flow in a table', () => {
  test('has its outcome, mechanism and time', () => {
    const severed = flow(
      'udp',
      { kind: 'severed', at: bounded(2_417.5), by: 'rehomed' },
      { rehomed: { to: 'new', at: bounded(2_417.5) } },
    );
    expect(rowsOf(flowsCsv, withFlow(severed))).toMatchObject([
      {
        outcome: 'severed',
        severedBy: 'rehomed',
        endedMs: '2417.5',
        endedPrecision: 'bounded',
        rehomedTo: 'new',
        rehomedMs: '2417.5',
      },
    ]);
  });

  test('has its cause, what told of it and what had become of its entry; without evidence empty cells', () => {
    expect(rowsOf(flowsCsv, withFlow(rehomed(2_417)))).toMatchObject([
      {
        cause: 'conntrack-cleared-rehomed',
        packet: '',
        answerPacketMs: '2416.5',
        entryDestroyedBy: 'kube-proxy',
        entryDestroyedMs: '2405',
        entryCreatedMs: '2414',
        disagreements: '',
      },
    ]);
    expect(rowsOf(flowsCsv, withFlow(reset(45)))).toMatchObject([{ cause: '', packetMs: '', entryDestroyedBy: '' }]);
  });

  test('that survived has no time at all', () => {
    expect(rowsOf(flowsCsv, withFlow(flow('tcp', { kind: 'survived-observation-window' })))).toMatchObject([
      { outcome: 'survived-observation-window', severedBy: '', endedMs: '', rehomedMs: '' },
    ]);
  });
});

describe('a text in a table', () => {
  const cellOf = (openedTo: string) =>
    flowsCsv.rows(withFlow(flow('tcp', { kind: 'survived-observation-window' }, { openedTo })));

  test.each(['=1+1', '+1', '-1', '@SUM(A1)'])('%s is no formula to a spreadsheet', (text) => {
    expect(cellOf(text)).toContain(`,'${text},`);
  });

  test('can neither end its cell nor its row', () => {
    expect(cellOf('a,"b"\nc').trimEnd().split('\n')).toHaveLength(1);
    expect(cellOf('a,"b"\nc')).toContain(',"a,""b"" c",');
  });

  test('acts on no terminal', () => {
    expect(cellOf('\u001b]0;title\u0007')).not.toMatch(/[^\P{Cc}\n]/u);
  });
});
