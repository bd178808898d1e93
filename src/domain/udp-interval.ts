/**
 * Datagrams a second that one client on two cores, with the probe beside it, was measured to send and read without
 * losing any, 99 in 100 within 2 ms of their slots. At twice as many they come up to 11 ms late, at five times as many
 * most are lost (`scripts/bench/flows.mjs`).
 */
const heldPerSecond = 10_000;

/**
 * The interval of each UDP flow: as asked for, or longer where so many flows would together speak more often than the
 * generator can hold. It is the resolution of a UDP flow's end. A lane beside it has a client of its own and counts.
 *
 * @param lanes trials that run at once, at least 1
 * @returns whole milliseconds
 */
export const udpIntervalFor = (udpFlows: number, askedMs: number, lanes = 1): number =>
  Math.max(askedMs, Math.ceil((udpFlows * lanes * 1_000) / heldPerSecond));

/** A UDP flow is silent after so many unanswered pings in a row, and after a second at the least. */
const silentPings = 10;
const leastSilenceMs = 1_000;

/** How long a UDP flow without an answer is waited for: one lost datagram is no end. */
export const udpSilenceFor = (intervalMs: number): number => Math.max(leastSilenceMs, silentPings * intervalMs);
