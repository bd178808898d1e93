import type { Conditions } from './trial.ts';

/** What a floor depends on besides the metric. */
export type FloorConditions = Pick<Conditions, 'udpIntervalMs'>;

interface Floor {
  readonly ms: number;
  /** The end of a UDP flow is known to within one interval of its datagrams. */
  readonly addsUdpInterval?: true;
}

/** A time that the probe or the kernel's sockets make. */
const signal: Floor = { ms: 10 };
const socket: Floor = { ms: 20 };
/** A time that the control plane makes with one write. */
const write: Floor = { ms: 50 };
/** A time behind the kubelet's and the control plane's own rounds. */
const removal: Floor = { ms: 150 };
/** kube-proxy acts on the control plane's writes, so its acts are no surer than those. */
const udp: Floor = { ms: 150, addsUdpInterval: true };

/**
 * By how much a metric may shift before anybody should mind. A window between two events has the greater floor of the
 * two, but for the dead-endpoint window, which is what a user is told of and therefore held to less.
 */
const floors: ReadonlyMap<string, Floor> = new Map([
  ['trigger-to-sigterm', signal],
  ['trigger-to-ready-false', write],
  ['trigger-to-first-tcp-end', socket],
  ['trigger-to-last-tcp-end', socket],
  ['trigger-to-first-udp-end', udp],
  ['trigger-to-last-udp-end', udp],
  ['trigger-to-first-udp-rehome', udp],
  ['trigger-to-replacement-ready', removal],
  ['trigger-to-probe-exit', socket],
  ['trigger-to-container-terminated', removal],
  ['trigger-to-endpoint-removed', removal],
  ['dead-endpoint-window', { ms: 50 }],
  ['sigterm-to-ready-false', write],
  ['sigterm-to-endpoint-removed', removal],
  ['first-udp-end-minus-exit', udp],
  ['last-udp-end-minus-exit', udp],
  ['drain-left-at-udp-rehome', udp],
  // known to within the interval at which new connections are dialled, which these floors include
  ['new-tcp-first-failure', write],
  ['new-udp-first-failure', write],
  ['new-tcp-failure-window', { ms: 50 }],
  ['new-udp-failure-window', { ms: 50 }],
  ['new-tcp-last-failure', removal],
  ['new-udp-last-failure', removal],
  ['new-tcp-last-answer', removal],
  ['new-udp-last-answer', removal],
  ['trigger-to-stop-requested', signal],
  ['stop-requested-to-sigterm', signal],
  ['trigger-to-runtime-exit', socket],
  ['trigger-to-ready-false-commit', write],
  ['trigger-to-endpoint-removed-commit', removal],
  ['trigger-to-rules-changed', removal],
  ['trigger-to-udp-entries-cleared', removal],
  ['clearing-to-udp-rehome', { ms: 10, addsUdpInterval: true }],
  ['greatest-watch-delay', socket],
  ['median-watch-delay', socket],
  ['tcp-end-detection', signal],
  ['udp-rehome-detection', signal],
]);

/** The floor of a metric in ms; undefined for a name that this version does not know. */
export function shiftFloorMs(metric: string, { udpIntervalMs }: FloorConditions): number | undefined {
  const floor = floors.get(metric);
  return floor && floor.ms + (floor.addsUdpInterval === true ? udpIntervalMs : 0);
}
