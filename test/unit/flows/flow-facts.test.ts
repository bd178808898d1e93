import { expect, test } from 'vitest';
import { FlowFacts } from '../../../src/flows/flow-facts.ts';
import { SendLog } from '../../../src/flows/send-log.ts';

const own = 'pod-a/00000001';
const foreign = 'pod-b/00000002';

/** A flow that sent `pings` pings, at 1000 ns, 2000 ns and so on. */
function flowThatSent(pings: number) {
  const changes: string[] = [];
  const facts = new FlowFacts('udp-1', 'udp', new SendLog(20, 1_000), {
    ended: () => void changes.push('ended'),
    revived: () => void changes.push('revived'),
  });
  facts.noteDialed();
  for (let ping = 1; ping <= pings; ping += 1) facts.noteSend(BigInt(ping) * 1_000n);
  const hear = (sequence: number, identity: string, receivedNs: bigint) =>
    facts.notePong({ kind: 'pong', sequence, monotonicNs: 5n, identity }, receivedNs, `pong ${sequence}`);
  return { facts, hear, changes };
}

const refused = (atNs: bigint) => ({ kind: 'error', atNs, code: 'ECONNREFUSED', syscall: 'recvmsg' }) as const;

test('the identity that answers first is the own one, and its last answer is kept', () => {
  const { facts, hear } = flowThatSent(3);
  hear(0, own, 1_100n);
  hear(2, own, 3_100n);
  expect(facts.record()).toMatchObject({
    firstAnswer: { pod: own, sequence: 0, sentNs: 1_000n, receivedNs: 1_100n },
    lastAnswer: { pod: own, sequence: 2, sentNs: 3_000n, receivedNs: 3_100n },
    foreignAnswer: null,
    sent: 3,
    answered: 2,
  });
});

test('of all answers of other pods the first is kept, and none counts as an answer of the own one', () => {
  const { facts, hear, changes } = flowThatSent(4);
  hear(0, own, 1_100n);
  hear(1, foreign, 2_100n);
  hear(2, 'pod-c/00000003', 3_100n);
  expect(facts.record()).toMatchObject({
    lastAnswer: { sequence: 0 },
    foreignAnswer: { pod: foreign, sequence: 1 },
    answered: 1,
  });
  expect(changes).toEqual(['ended']);
});

test('a restarted container of the same pod is another identity', () => {
  const { facts, hear } = flowThatSent(2);
  hear(0, own, 1_100n);
  hear(1, 'pod-a/00000009', 2_100n);
  expect(facts.record().foreignAnswer?.pod).toBe('pod-a/00000009');
});

test('the first of several ends is kept', () => {
  const { facts, hear } = flowThatSent(2);
  hear(0, own, 1_100n);
  facts.noteEnd(refused(2_100n));
  facts.noteEnd({ kind: 'no-answer', atNs: 9_000n, sinceNs: 2_000n });
  expect(facts.record().end).toEqual(refused(2_100n));
});

test('an own answer after an end takes it back, and the next end counts', () => {
  const { facts, hear, changes } = flowThatSent(3);
  hear(0, own, 1_100n);
  facts.noteEnd(refused(2_100n));
  hear(2, own, 3_100n);
  expect(facts.record().end).toBeNull();
  facts.noteEnd(refused(4_100n));
  expect(facts.record().end).toEqual(refused(4_100n));
  expect(changes).toEqual(['ended', 'revived', 'ended']);
});

test('an answer of another pod leaves the end as it was: the flow was severed and then re-homed', () => {
  const { facts, hear, changes } = flowThatSent(3);
  hear(0, own, 1_100n);
  facts.noteEnd(refused(2_100n));
  hear(2, foreign, 3_100n);
  expect(facts.record()).toMatchObject({ end: refused(2_100n), foreignAnswer: { pod: foreign } });
  expect(changes).toEqual(['ended']);
});

test('a datagram that came twice is one answer', () => {
  const { facts, hear } = flowThatSent(1);
  hear(0, own, 1_100n);
  hear(0, own, 1_200n);
  expect(facts.record().answered).toBe(1);
});

test('an answer to a ping that was never sent is no answer, and preflight can tell of it', () => {
  const { facts, hear } = flowThatSent(1);
  expect(hear(7, own, 1_100n)).toBeNull();
  expect(facts.record().firstAnswer).toBeNull();
  expect(facts.complaint).toContain('pong 7');
});

test('a flow that could not be dialled has ended', () => {
  const { facts, changes } = flowThatSent(0);
  facts.noteDialError({ code: 'ECONNREFUSED', syscall: 'connect' });
  expect(changes).toEqual(['ended']);
  expect(facts.record()).toMatchObject({ dialError: 'ECONNREFUSED', end: null });
  expect(facts.complaint).toBe('udp-1: connect ECONNREFUSED');
});

test('a flow is unserved since the first ping after the last one that its own pod answered', () => {
  const { facts, hear } = flowThatSent(5);
  expect(facts.record().unservedSinceNs).toBe(1_000n);
  hear(0, own, 1_100n);
  hear(2, own, 3_100n);
  expect(facts.record().unservedSinceNs).toBe(4_000n);
  hear(3, foreign, 4_100n);
  expect(facts.record().unservedSinceNs).toBe(4_000n);
});

test('a late answer that a later one overtook does not move that moment back', () => {
  const { facts, hear } = flowThatSent(4);
  hear(2, own, 3_100n);
  hear(0, own, 3_200n);
  expect(facts.record()).toMatchObject({ lastAnswer: { sequence: 2 }, unservedSinceNs: 4_000n });
});

test('a flow whose latest ping was answered is unserved from its next ping on', () => {
  const { facts, hear } = flowThatSent(2);
  hear(1, own, 2_100n);
  expect(facts.record().unservedSinceNs).toBeNull();
  facts.noteSend(3_000n);
  facts.noteSend(4_000n);
  expect(facts.record().unservedSinceNs).toBe(3_000n);
});

test('own answers to pings after the one that another pod answered move no bound: the flow was moved by then', () => {
  const { facts, hear } = flowThatSent(6);
  hear(1, own, 2_100n);
  hear(3, foreign, 4_100n);
  hear(4, own, 5_100n);
  expect(facts.record()).toMatchObject({ lastAnswer: { sequence: 1 }, unservedSinceNs: 3_000n, answered: 2 });
});

test('a late own answer to a ping before that one still counts as service', () => {
  const { facts, hear } = flowThatSent(6);
  hear(1, own, 2_100n);
  hear(3, foreign, 4_100n);
  hear(2, own, 4_200n);
  expect(facts.record()).toMatchObject({ lastAnswer: { sequence: 2 }, unservedSinceNs: 4_000n });
});

test('once another pod answered, an own answer takes no end back', () => {
  const { facts, hear, changes } = flowThatSent(6);
  hear(1, own, 2_100n);
  facts.noteEnd(refused(3_100n));
  hear(3, foreign, 4_100n);
  hear(4, own, 5_100n);
  expect(facts.record().end).toEqual(refused(3_100n));
  expect(changes).toEqual(['ended']);
});
