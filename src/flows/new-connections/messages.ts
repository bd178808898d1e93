import type { AttemptRecord } from '../../domain/new-connections.ts';

/** What the main thread asks of the prober's thread, once it sent the NewConnectionSpec. */
export interface Request {
  /** Stops and ends the thread. */
  readonly kind: 'finish';
}

/** What the prober's thread tells. */
export type Notice =
  /** The first attempt is due now. */
  | { readonly kind: 'dialling' }
  /** Its last words. */
  | { readonly kind: 'finished'; readonly records: readonly AttemptRecord[] };
