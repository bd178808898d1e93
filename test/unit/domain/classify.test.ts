import { describe, expect, test } from 'vitest';
import { endOf, judgeFlow, outcomeName, type JudgeContext } from '../../../src/domain/classify.ts';
import type { Answer, FlowRecord } from '../../../src/domain/flow.ts';

const context: JudgeContext = { place: (ns) => Number(ns) / 1e6, stampDelayMs: (ns) => (ns < 1_000_000_000n ? 2 : 40) };
const ms = (value: number) => BigInt(Math.round(value * 1e6));
const answer = (pod: string, sequence: number, sentMs: number): Answer => ({
  pod,
  sequence,
  sentNs: ms(sentMs),
  receivedNs: ms(sentMs + 1),
});
const flow = (protocol: 'tcp' | 'udp', facts: Partial<FlowRecord>): FlowRecord => ({
  id: `${protocol}-1`,
  protocol,
  localPort: null,
  firstAnswer: answer('old/1', 0, -9000),
  lastAnswer: answer('old/1', 40, 100),
  unservedSinceNs: null,
  foreignAnswer: null,
  announcedNs: null,
  end: null,
  sent: 41,
  answered: 41,
  dialError: null,
  ...facts,
});
const judge = (protocol: 'tcp' | 'udp', facts: Partial<FlowRecord>) => judgeFlow(flow(protocol, facts), context);

describe('a TCP flow', () => {
  test('that was announced and then got FIN is drained', () => {
    const { outcome } = judge('tcp', { announcedNs: ms(200), end: { kind: 'fin', atNs: ms(201) } });
    expect(outcome).toEqual({
      kind: 'drained-clean-close',
      at: { tMs: 201, precision: { kind: 'bounded', earlyMs: 2, lateMs: 0 } },
    });
  });

  test('has an end as late as the client’s stamps were around it, and not as late as they ever were', () => {
    const earlyMs = (end: FlowRecord['end']) => endOf(judge('tcp', { end }).outcome)?.precision;
    expect(earlyMs({ kind: 'fin', atNs: ms(999) })).toMatchObject({ earlyMs: 2 });
    expect(earlyMs({ kind: 'fin', atNs: ms(1001) })).toMatchObject({ earlyMs: 40 });
  });

  test('that got FIN without an announcement is severed by an unannounced FIN', () => {
    expect(judge('tcp', { end: { kind: 'fin', atNs: ms(201) } }).outcome).toMatchObject({
      kind: 'severed',
      by: 'unannounced-fin',
    });
  });

  test('that got FIN before the announcement is not drained', () => {
    const { outcome } = judge('tcp', { announcedNs: ms(202), end: { kind: 'fin', atNs: ms(201) } });
    expect(outcomeName(outcome)).toBe('severed (unannounced-fin)');
  });

  test('that was announced and then reset is severed: an announcement is no close', () => {
    const end = { kind: 'error', atNs: ms(201), code: 'ECONNRESET', syscall: 'read' } as const;
    expect(outcomeName(judge('tcp', { announcedNs: ms(200), end }).outcome)).toBe('severed (rst)');
  });

  test.each([
    ['ECONNRESET', 'write', 'severed (rst)'],
    ['EPIPE', 'write', 'severed (write-error)'],
    ['EHOSTUNREACH', 'read', 'severed (icmp-unreachable)'],
    ['ETIMEDOUT', 'read', 'severed (write-error)'],
  ])('whose socket told %s on %s is %s', (code, syscall, name) => {
    const judged = judge('tcp', { end: { kind: 'error', atNs: ms(50), code, syscall } });
    expect(outcomeName(judged.outcome)).toBe(name);
    expect(judged.errorCode).toBe(code);
  });

  test('that nobody answers any more is a read time-out, placed at the first unanswered heartbeat', () => {
    const { outcome } = judge('tcp', { end: { kind: 'no-answer', atNs: ms(5600), sinceNs: ms(600) } });
    expect(outcome).toEqual({
      kind: 'read-timeout',
      at: { tMs: 600, precision: { kind: 'bounded', earlyMs: 500, lateMs: 1 } },
    });
  });

  test('without an end survived the observation', () => {
    expect(judge('tcp', {}).outcome).toEqual({ kind: 'survived-observation-window' });
  });

  test.each([
    ['never dialled', { dialError: 'ECONNREFUSED', firstAnswer: null, lastAnswer: null }],
    ['never answered', { firstAnswer: null, lastAnswer: null }],
  ])('that was %s is not measured, with the reason', (_, facts) => {
    const { outcome } = judge('tcp', facts);
    expect(outcome.kind).toBe('not-measured');
    expect(outcome).toHaveProperty('reason', expect.stringMatching(/\w+/));
  });
});

describe('a UDP flow', () => {
  const foreignAnswer = answer('new/2', 60, 2400);

  test('that another pod answers is severed although it is answered, and names both pods', () => {
    const judged = judge('udp', { lastAnswer: answer('old/1', 59, 2385), unservedSinceNs: ms(2400), foreignAnswer });
    expect(judged).toMatchObject({ openedTo: 'old/1', rehomed: { to: 'new/2', at: { tMs: 2401 } } });
    expect(judged.outcome).toEqual({
      kind: 'severed',
      by: 'rehomed',
      at: { tMs: 2400, precision: { kind: 'bounded', earlyMs: 15, lateMs: 1 } },
    });
  });

  test('that was refused first and then answered by another pod is severed by the refusal, and re-homed after it', () => {
    const end = { kind: 'error', atNs: ms(120), code: 'ECONNREFUSED', syscall: 'recv' } as const;
    const judged = judge('udp', { end, foreignAnswer });
    expect(judged.outcome).toMatchObject({ kind: 'severed', by: 'icmp-unreachable', at: { tMs: 120 } });
    expect(judged.rehomed).toMatchObject({ to: 'new/2', at: { tMs: 2401 } });
  });

  test('that fell silent and was then answered by another pod is severed by silence', () => {
    const end = { kind: 'no-answer', atNs: ms(1120), sinceNs: ms(120) } as const;
    const judged = judge('udp', { end, foreignAnswer });
    expect(judged.outcome).toMatchObject({ kind: 'severed', by: 'silence', at: { tMs: 120 } });
    expect(judged.rehomed?.to).toBe('new/2');
  });

  test('that learns of its refusal late had ended with its first unanswered datagram', () => {
    const end = { kind: 'error', atNs: ms(820), code: 'ECONNREFUSED', syscall: 'send' } as const;
    const { outcome } = judge('udp', { unservedSinceNs: ms(115), end });
    expect(outcome).toMatchObject({ by: 'icmp-unreachable', at: { tMs: 115, precision: { earlyMs: 15 } } });
  });

  test('that another pod answers before silence is established is re-homed', () => {
    const end = { kind: 'no-answer', atNs: ms(3400), sinceNs: ms(1900) } as const;
    const lastAnswer = answer('old/1', 59, 1885);
    const judged = judge('udp', { lastAnswer, unservedSinceNs: ms(1900), end, foreignAnswer });
    expect(judged.outcome).toMatchObject({ by: 'rehomed', at: { tMs: 1900, precision: { earlyMs: 15 } } });
    expect(judged.rehomed?.at).toMatchObject({ tMs: 2401 });
  });

  test('that was re-homed keeps that as its end, whatever the new pod does later', () => {
    const end = { kind: 'error', atNs: ms(9000), code: 'ECONNREFUSED', syscall: 'recv' } as const;
    expect(outcomeName(judge('udp', { end, foreignAnswer }).outcome)).toBe('severed (rehomed)');
  });

  test('has its end resolved to the interval between the last answered datagram and what ended it', () => {
    const end = { kind: 'error', atNs: ms(120), code: 'ECONNREFUSED', syscall: 'send' } as const;
    const { outcome } = judge('udp', { end });
    expect(outcome).toMatchObject({ at: { precision: { kind: 'bounded', earlyMs: 20, lateMs: 0 } } });
  });

  test('may have been served for as long after the sending of its first unanswered datagram as an answer took', () => {
    const lastAnswer: Answer = { ...answer('old/1', 59, 100), receivedNs: ms(109) };
    const told = (atMs: number) => {
      const end = { kind: 'error', atNs: ms(atMs), code: 'ECONNREFUSED', syscall: 'send' } as const;
      return judge('udp', { lastAnswer, unservedSinceNs: ms(120), end }).outcome;
    };
    expect(told(820)).toMatchObject({ at: { tMs: 120, precision: { earlyMs: 20, lateMs: 9 } } });
    // but not for longer than until the end was told
    expect(told(124)).toMatchObject({ at: { tMs: 120, precision: { earlyMs: 20, lateMs: 4 } } });
  });

  test('whose silence is placed at a send has the same bounds', () => {
    const end = { kind: 'no-answer', atNs: ms(1120), sinceNs: ms(120) } as const;
    const { outcome } = judge('udp', { unservedSinceNs: ms(120), end });
    expect(outcome).toMatchObject({ at: { tMs: 120, precision: { kind: 'bounded', earlyMs: 20, lateMs: 1 } } });
  });

  test('has no finer bound than the delay of the client’s own stamps', () => {
    const end = { kind: 'error', atNs: ms(100.5), code: 'ECONNREFUSED', syscall: 'send' } as const;
    expect(judge('udp', { end }).outcome).toMatchObject({ at: { precision: { earlyMs: 2 } } });
  });
});
