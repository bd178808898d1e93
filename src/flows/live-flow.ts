import type { SendLateness } from './delay.ts';
import type { ExchangeLog } from './exchange-log.ts';
import type { FlowFacts } from './flow-facts.ts';
import type { Schedule } from './schedule.ts';

/** What the flows of one thread share. */
export interface FlowSurroundings {
  readonly schedule: Schedule;
  readonly lateness: SendLateness;
  readonly exchanges: ExchangeLog;
}

/** A flow with a socket. */
export interface LiveFlow {
  readonly facts: FlowFacts;
  /** Resolves when the flow is open, or noted why it is not. Never rejects. */
  dial(): Promise<void>;
  /** Nothing is sent or noted after this. */
  close(): void;
}
