import { describe, expect, test } from 'vitest';
import type { ClientObservation } from '../../../src/domain/client.ts';
import type { RawEvent } from '../../../src/domain/event.ts';
import type { RawEvidence } from '../../../src/domain/evidence.ts';
import type { FlowRecord } from '../../../src/domain/flow.ts';
import { measured, notMeasured } from '../../../src/domain/measured.ts';
import type { ProbeClock } from '../../../src/domain/workload.ts';
import { judgeTrial, type Observations } from '../../../src/experiment/judge-trial.ts';
import { clockDomain } from '../../../src/timeline/clock-domain.ts';

const pod = 'probe-old';
const own = `${pod}/0000000a`;
const clientClock: ProbeClock = { identity: 'client/1', bootId: 'boot-a', timeNamespaceOffsetNs: 0n };
const probeClock: ProbeClock = { ...clientClock, identity: own };
const strangerClock: ProbeClock = { ...probeClock, bootId: 'boot-z' };

const triggerNs = 60_000_000_000n;
/** A reading of the client's clock, so many milliseconds after the trigger. */
const at = (ms: number): bigint => triggerNs + BigInt(Math.round(ms * 1e6));
const answer = (sentMs: number, pod = own) => ({ pod, sequence: 1, sentNs: at(sentMs), receivedNs: at(sentMs + 4) });
const reading = (clock: ProbeClock, ms: number) => ({ domain: clockDomain(clock), monotonicNs: at(ms) });

const flow = (changes: Partial<FlowRecord> = {}): FlowRecord => ({
  id: 'tcp-1',
  protocol: 'tcp',
  localPort: null,
  firstAnswer: answer(-9_000),
  lastAnswer: answer(-20),
  unservedSinceNs: null,
  foreignAnswer: null,
  announcedNs: null,
  end: null,
  sent: 20,
  answered: 20,
  dialError: null,
  ...changes,
});
const reset = (ms: number) => ({ kind: 'error', atNs: at(ms), code: 'ECONNRESET', syscall: 'read' }) as const;

const delays = { p50: 0.1, p99: 0.5, max: 480 };
/** From 1 s before the trigger on; 300 ms to 600 ms after it the loop was stalled. */
const stampDelays = {
  startNs: at(-1_000),
  windowNs: 100_000_000n,
  maxMs: Array.from({ length: 40 }, (_, index) => (index >= 13 && index < 16 ? 480 : 2)),
};

const clientOf = (changes: Partial<ClientObservation>): ClientObservation => ({
  flows: [],
  eventLoopDelayMs: delays,
  stampDelays,
  threadNiceness: 0,
  sendLatenessMs: measured(delays),
  exchanges: null,
  generator: {
    udpBeforeMark: { sent: 0, unanswered: 0 },
    skippedSends: 0,
    droppedAnswers: measured([]),
    udpBufferErrors: measured({ receive: 0, send: 0 }),
  },
  ...changes,
});

function judge(flows: readonly FlowRecord[], events: readonly RawEvent[] = [], changes: Partial<Observations> = {}) {
  return judgeTrial({
    origin: reading(clientClock, 0),
    pod,
    probeClock,
    clientClock,
    client: clientOf({ flows }),
    newConnections: notMeasured('not asked'),
    events,
    unobservable: {},
    ...changes,
  });
}

describe('a flow that ended before the trigger', () => {
  test('is refused, with its name and what ended it', () => {
    const flows = [flow(), flow({ id: 'tcp-2', end: reset(-1) })];
    expect(() => judge(flows)).toThrow(/1 flows had ended before it, the first being tcp-2 \(severed, ECONNRESET\)/);
    expect(() => judge(flows)).toThrow(expect.objectContaining({ kind: 'harness' }) as Error);
  });

  test('is not seen in one that ended at the trigger or after it', () => {
    expect(judge([flow({ end: reset(0) }), flow({ end: reset(40) })]).flows).toHaveLength(2);
  });

  test('is not seen in a UDP flow whose datagram was on its way at the trigger', () => {
    // a round trip takes 4 ms here, so a datagram sent 3 ms before the trigger may have arrived after it
    const udp = (sentMs: number) =>
      flow({
        id: 'udp-1',
        protocol: 'udp',
        unservedSinceNs: at(sentMs),
        end: { kind: 'no-answer', atNs: at(1_000), sinceNs: at(sentMs) },
      });
    expect(judge([udp(-3)]).flows[0]?.outcome).toMatchObject({ kind: 'severed', by: 'silence', at: { tMs: -3 } });
    expect(() => judge([udp(-5)])).toThrow(/udp-1/);
  });
});

describe('the precision of an end', () => {
  const precisionAt = (ms: number) => judge([flow({ end: reset(ms) })]).flows[0]?.outcome;

  test('is that of the client’s loop around its stamp, not of a stall elsewhere', () => {
    expect(precisionAt(45)).toMatchObject({ at: { tMs: 45, precision: { kind: 'bounded', earlyMs: 2, lateMs: 0 } } });
    expect(precisionAt(450)).toMatchObject({ at: { tMs: 450, precision: { earlyMs: 480 } } });
    expect(precisionAt(800)).toMatchObject({ at: { tMs: 800, precision: { earlyMs: 2 } } });
  });

  test('is the worst where the loop was not watched', () => {
    expect(precisionAt(3_500)).toMatchObject({ at: { precision: { earlyMs: 480 } } });
  });

  test('is summed up by the worst of the stamps that ends rest on, another pod’s answer being one', () => {
    const delayOf = (...flows: readonly FlowRecord[]) => judge(flows).client.stampDelayMs;
    expect(delayOf(flow({ end: reset(45) }), flow({ end: reset(800) }))).toBe(2);
    expect(delayOf(flow({ end: reset(45) }), flow({ end: reset(450) }))).toBe(480);
    expect(delayOf(flow({ protocol: 'udp', foreignAnswer: answer(450, 'probe-new/0000000b') }))).toBe(480);
  });

  test('is summed up by the worst of the observation where no flow ended', () => {
    expect(judge([flow()]).client.stampDelayMs).toBe(delays.max);
  });
});

describe('the container’s end', () => {
  const terminated = (name = pod): RawEvent => ({
    name: 'container-terminated',
    source: 'kubernetes',
    stamp: 'at-receipt',
    reading: reading(clientClock, 30_200),
    payload: { pod: name, exitCode: 137, signal: 9, reason: 'Error' },
  });
  const exited: RawEvent = {
    name: 'process-exited',
    source: 'orchestrator',
    stamp: 'at-receipt',
    reading: reading(clientClock, 60),
    payload: { pod, exitCode: 0, signal: null },
  };

  test('is what Kubernetes told of it', () => {
    expect(judge([], [terminated()]).container).toEqual(measured({ exitCode: 137, signal: 9, reason: 'Error' }));
  });

  test('is the process’s exit where there is no container', () => {
    expect(judge([], [exited]).container).toEqual(measured({ exitCode: 0, signal: null, reason: null }));
  });

  test('is not measured by another pod’s container', () => {
    expect(judge([], [terminated('probe-new')]).container).toEqual(
      notMeasured('the container was not seen to terminate'),
    );
  });

  test('is not measured with the reason why the host can’t observe it', () => {
    const unobservable = { 'container-terminated': 'pods may not be watched' };
    expect(judge([], [], { unobservable }).container).toEqual(notMeasured('pods may not be watched'));
  });

  test('is not measured where the kubelet lost the container: its exit code 137 is made up', () => {
    const event = terminated();
    if (event.name !== 'container-terminated') throw new Error('the event is that of a container');
    const lost: RawEvent = { ...event, payload: { ...event.payload, signal: null, reason: 'ContainerStatusUnknown' } };
    expect(judge([], [lost]).container).toEqual({
      status: 'not-measured',
      reason: expect.stringContaining('ContainerStatusUnknown') as string,
    });
  });
});

describe('the probe’s events', () => {
  const sigterm = (clock: ProbeClock): RawEvent => ({
    name: 'sigterm-received',
    source: 'probe',
    stamp: 'at-occurrence',
    reading: reading(clock, 38),
    payload: { pod },
  });

  test('on the client’s clock are placed exactly, among the flows’ ends', () => {
    const { timeline, unobservable, clock } = judge([flow({ end: reset(40) })], [sigterm(probeClock)]);
    expect(timeline.map(({ name, at: point }) => [name, point.tMs, point.precision.kind])).toEqual([
      ['sigterm-received', 38, 'exact'],
      ['flow-ended', 40, 'bounded'],
    ]);
    expect(clock.relation).toBe('same-kernel');
    expect(unobservable).toEqual({});
  });

  test('on a clock that was never related can’t be observed, with the reason, beside what the host can’t', () => {
    const { timeline, unobservable } = judge([flow()], [sigterm(strangerClock)], {
      probeClock: strangerClock,
      unobservable: { 'pod-deleted': 'pods may not be watched' },
    });
    expect(timeline).toEqual([]);
    expect(unobservable).toEqual({
      'pod-deleted': 'pods may not be watched',
      'sigterm-received': expect.stringMatching(/another kernel.*no exchange/) as string,
    });
  });

  test('of a process whose clock nobody told of can’t be observed either', () => {
    const { unobservable } = judge([flow()], [sigterm(strangerClock)]);
    expect(unobservable).toEqual({ 'sigterm-received': expect.stringContaining('unknown') as string });
  });

  test('on another kernel’s clock are placed within the bounds of the exchanges', () => {
    const exchange = { sentNs: at(37), probeNs: at(38), receivedNs: at(40) };
    const client = clientOf({ exchanges: { count: 1, kept: [exchange] } });
    const { timeline, clock } = judge([], [sigterm(strangerClock)], { probeClock: strangerClock, client });
    expect(clock).toMatchObject({ relation: 'bounded', widthMs: 3 });
    expect(timeline[0]?.at).toEqual({ tMs: 38.5, precision: { kind: 'bounded', earlyMs: 1.5, lateMs: 1.5 } });
  });
});

describe('evidence', () => {
  const podAddress = '10.244.1.2';
  const moment = (ms: number) => ({ earliestNs: at(ms), latestNs: at(ms) });
  const none = notMeasured('no such observer');
  const evidenceOf = (changes: Partial<RawEvidence>) =>
    measured({
      podAddress,
      commits: none,
      runtime: none,
      conntrack: none,
      rules: none,
      kubeProxy: none,
      packets: none,
      costs: none,
      ...changes,
    });
  const rst = (clientPort: number, ms: number) =>
    ({ kind: 'rst', protocol: 'tcp', clientPort, direction: 'to-client', sender: 'pod', at: moment(ms) }) as const;

  test('that was not asked for leaves flows without causes', () => {
    const { flows, evidence } = judge([flow({ end: reset(45) })]);
    expect(evidence).toEqual(notMeasured('no evidence was asked for'));
    expect(flows[0]).toMatchObject({ cause: null, detections: [] });
  });

  test('is that of the flow whose port it names, since the pod last served it', () => {
    const { flows, evidence } = judge(
      [flow({ localPort: 4001, end: reset(45) }), flow({ id: 'tcp-2', localPort: 4002, end: reset(46) }), flow()],
      [],
      { evidence: evidenceOf({ packets: measured([rst(4001, -500), rst(4001, 44), rst(4002, 47)]) }) },
    );
    expect(flows[0]).toMatchObject({
      cause: { cause: 'pod-socket-closed', disagreements: [] },
      detections: [{ packet: 'rst', packetAt: { tMs: 44, precision: { kind: 'exact' } }, toldMs: 45 }],
    });
    expect(flows[1]?.cause?.disagreements).toEqual([{ kind: 'told-before-packet', toldMs: 46, packetMs: 47 }]);
    expect(flows[2]).toMatchObject({ cause: null, detections: [] });
    expect(evidence).toMatchObject({ value: { packets: { value: { rst: 3, fin: 0 } }, conntrack: none } });
  });

  test('of a flow without a port is missing, and nothing is said to disagree', () => {
    const { flows } = judge([flow({ end: reset(45) })], [], { evidence: evidenceOf({ packets: measured([]) }) });
    expect(flows[0]?.cause).toEqual({ cause: 'unknown', evidence: [], disagreements: [] });
  });

  test('puts the time of the write at the event that a watch told of, and keeps the writes that none told of', () => {
    const removed = (ms: number): RawEvent => ({
      name: 'endpoint-removed',
      source: 'kubernetes',
      stamp: 'at-receipt',
      reading: reading(clientClock, ms),
      payload: { pod },
    });
    const commit = (name: 'endpoint-removed' | 'pod-deleted', ms: number) =>
      ({ name, payload: { pod }, by: 'a-controller', at: { earliestNs: at(ms - 1), latestNs: at(ms) } }) as const;
    const { timeline, evidence } = judge([], [removed(120)], {
      evidence: evidenceOf({ commits: measured([commit('endpoint-removed', 117), commit('pod-deleted', 130)]) }),
    });
    expect(timeline[0]).toMatchObject({
      at: { tMs: 120 },
      committed: { by: 'a-controller', at: { tMs: 117, precision: { kind: 'bounded', earlyMs: 1, lateMs: 0 } } },
    });
    expect(evidence).toMatchObject({
      value: { commits: { value: { commits: 2, unreceived: [{ name: 'pod-deleted', pod, at: { tMs: 130 } }] } } },
    });
  });

  test('a write that began after word of the event is not the one behind it', () => {
    const ready = (ms: number): RawEvent => ({
      name: 'pod-ready',
      source: 'kubernetes',
      stamp: 'at-receipt',
      reading: reading(clientClock, ms),
      payload: { pod },
    });
    const commit = (ms: number) => ({ name: 'pod-ready', payload: { pod }, by: 'kubelet', at: moment(ms) }) as const;
    const { timeline } = judge([], [ready(20), ready(40)], {
      evidence: evidenceOf({ commits: measured([commit(10), commit(30), commit(50)]) }),
    });
    expect(timeline.map(({ committed }) => committed?.at.tMs)).toEqual([10, 30]);
  });

  test('of conntrack counts the entries that the pod’s flows lost, by who destroyed them, from the first to the last', () => {
    const cleared = (clientPort: number, ms: number, address = podAddress) => ({
      id: `${clientPort}`,
      protocol: 'udp' as const,
      clientPort,
      backend: { address, port: 7000 },
      answered: true,
      created: measured(moment(-9_000)),
      destroyed: { at: measured(moment(ms)), by: { kind: 'user-space' as const, program: 'kube-proxy' } },
    });
    const kernel = { kind: 'kernel' } as const;
    const dropped = (clientPort: number, ms: number) => {
      const entry = cleared(clientPort, ms);
      return { ...entry, destroyed: { ...entry.destroyed, by: kernel } };
    };
    const conntrack = measured([
      ...[cleared(1, 210), cleared(2, 205), cleared(3, 207, '10.244.1.9'), cleared(4, -50)],
      ...[dropped(5, 300), { ...dropped(6, 310), protocol: 'tcp' as const }],
    ]);
    expect(judge([], [], { evidence: evidenceOf({ conntrack }) }).evidence).toMatchObject({
      value: {
        conntrack: {
          value: {
            entries: 6,
            cleared: [
              {
                by: { kind: 'user-space', program: 'kube-proxy' },
                entries: 2,
                first: { tMs: 205 },
                last: { tMs: 210 },
              },
              // a TCP connection that has ended loses its entry to the kernel, and that tells nothing
              { protocol: 'udp', by: kernel, entries: 1, first: { tMs: 300 } },
            ],
          },
        },
      },
    });
  });
});
