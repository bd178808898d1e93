import { firstEvent } from '../../domain/event.ts';
import type { Flow } from '../../domain/flow.ts';
import { valueOf } from '../../domain/measured.ts';
import { observed } from '../../domain/observed-evidence.ts';
import type { Trial } from '../../domain/trial.ts';

/** A public issue or pull request of GitHub. */
export interface Reference {
  readonly repository: string;
  readonly number: number;
}

/** Something that others have met too, and what a trial looks like that shows it. */
export interface KnownPattern {
  readonly name: string;
  readonly meaning: string;
  readonly references: readonly Reference[];
  readonly matches: (trial: Trial) => boolean;
}

const kubernetes = (number: number): Reference => ({ repository: 'kubernetes/kubernetes', number });
const cilium = (number: number): Reference => ({ repository: 'cilium/cilium', number });

/** Each with references that were read and say the same; a pattern whose evidence is missing does not match. */
export const knownPatterns: readonly KnownPattern[] = [
  {
    name: 'udp-cleared-while-serving',
    meaning:
      'kube-proxy takes the UDP entries of an endpoint that is not ready any more, although the pod still serves them; its maintainers hold that to be right, and a proposal to keep such flows is open',
    references: [kubernetes(137_986), { repository: 'kubernetes/enhancements', number: 5_989 }],
    matches: (trial) => {
      const exitMs = programEndMs(trial);
      return exitMs !== undefined && udpMoves(trial).some(({ at }) => at.tMs < exitMs) && udpCleared(trial);
    },
  },
  {
    name: 'udp-entries-kept-without-endpoints',
    meaning:
      'once a Service has no endpoint left, kube-proxy from 1.32 on cleared none of its UDP entries: datagrams still went to the pod that was gone, until a fix',
    references: [kubernetes(139_628), kubernetes(139_629)],
    matches: (trial) =>
      firstEvent(trial.timeline, 'endpoint-removed', trial.pod) !== undefined &&
      !hasSuccessor(trial) &&
      conntrackOf(trial) !== undefined &&
      !udpCleared(trial) &&
      udpOf(trial).some(isSentNowhere),
  },
  {
    name: 'new-connections-to-a-stopped-pod',
    meaning:
      'SIGTERM and the end of traffic are not ordered: new connections still go to a pod whose program has stopped listening',
    references: [kubernetes(64_510), kubernetes(43_576)],
    matches: (trial) => {
      const exitMs = programEndMs(trial);
      return exitMs !== undefined && rulesEndMs(trial).some((tMs) => tMs > exitMs) && newTcpFailed(trial);
    },
  },
  {
    name: 'tcp-outlives-its-endpoint',
    meaning:
      'kube-proxy leaves TCP entries of a removed endpoint alone, so that established connections can end in order',
    references: [kubernetes(100_698), kubernetes(101_607)],
    matches: (trial) => {
      const notReady = trial.timeline.find(
        (event) => event.name === 'endpoint-not-ready' && event.payload.pod === trial.pod && event.at.tMs >= 0,
      );
      return (
        isKubeProxy(trial) &&
        notReady !== undefined &&
        trial.flows.some(
          ({ protocol, outcome }) =>
            protocol === 'tcp' && outcome.kind === 'drained-clean-close' && outcome.at.tMs > notReady.at.tMs,
        )
      );
    },
  },
  {
    name: 'ipvs-udp-connections-outlive-their-server',
    meaning: 'in mode ipvs the kernel keeps a UDP connection to a server that was removed until it expires',
    references: [kubernetes(71_514), kubernetes(76_664)],
    matches: (trial) =>
      trial.arm.proxyMode === 'ipvs' &&
      hasSuccessor(trial) &&
      udpOf(trial).some(({ outcome }) => outcome.kind === 'severed' && outcome.by === 'silence'),
  },
  {
    name: 'cilium-drains-udp',
    meaning:
      'Cilium keeps sending an established UDP flow to a backend that terminates, as it does for TCP; whether it should is being discussed',
    references: [cilium(48_715), cilium(48_891)],
    matches: (trial) => {
      const exitMs = programEndMs(trial);
      const other = trial.timeline.find(({ name, payload }) => name === 'endpoint-ready' && isOther(payload, trial));
      return (
        trial.arm.proxyMode === 'cilium' &&
        exitMs !== undefined &&
        other !== undefined &&
        other.at.tMs < exitMs &&
        udpOf(trial).every(({ rehomed }) => rehomed === null || rehomed.at.tMs >= exitMs)
      );
    },
  },
];

const udpOf = ({ flows }: Trial): readonly Flow[] => flows.filter(({ protocol }) => protocol === 'udp');
const udpMoves = (trial: Trial) => udpOf(trial).flatMap(({ rehomed }) => rehomed ?? []);

const isKubeProxy = ({ arm }: Trial): boolean => arm.proxyMode !== null && arm.proxyMode !== 'cilium';

const conntrackOf = (trial: Trial) => valueOf(observed(trial, 'conntrack'));

const udpCleared = (trial: Trial): boolean =>
  (conntrackOf(trial)?.cleared ?? []).some(({ protocol, by }) => protocol === 'udp' && by.kind === 'user-space');

const isSentNowhere = ({ cause }: Flow): boolean =>
  cause?.cause === 'stale-entry-black-hole' && cause.evidence.some(({ kind }) => kind === 'entry-alive');

/** When the program had stopped serving, as far as it or its container's end tells. */
function programEndMs({ timeline, pod }: Trial): number | undefined {
  const end =
    firstEvent(timeline, 'probe-exiting', pod) ??
    firstEvent(timeline, 'process-exited', pod) ??
    firstEvent(timeline, 'container-terminated', pod);
  return end?.at.tMs;
}

const rulesEndMs = (trial: Trial): readonly number[] =>
  (valueOf(observed(trial, 'rules')) ?? []).flatMap(({ change, at }) => (change === 'pod-unreachable' ? [at.tMs] : []));

const newTcpFailed = ({ newConnections }: Trial): boolean =>
  (valueOf(newConnections) ?? []).some(
    ({ protocol, seen }) => protocol === 'tcp' && valueOf(seen)?.firstFailure != null,
  );

const isOther = (payload: object, { pod }: Trial): boolean => 'pod' in payload && payload.pod !== pod;

/** Another pod became an endpoint after the trigger. */
const hasSuccessor = (trial: Trial): boolean =>
  trial.timeline.some(({ name, payload, at }) => name === 'endpoint-ready' && at.tMs >= 0 && isOther(payload, trial));
