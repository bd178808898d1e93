import type { Endpoint } from '../../domain/workload.ts';
import type { Settlement } from './attempt-log.ts';

/** An attempt's socket. */
export interface Dial {
  /** Closes it; nothing is told after this. */
  abandon(): void;
}

/** What hears of an attempt: `started` when its first packet leaves, then `settled`, each once at most. */
export interface DialListener {
  /** Gives the number of the attempt, which its ping carries. */
  started(): number;
  settled(settlement: Settlement): void;
}

/** Starts an attempt. */
export type Dialer = (endpoint: Endpoint, listener: DialListener) => Dial;
