import type { ClientObservation, FlowStatus } from '../domain/client.ts';

/** What the main thread asks of the flows' thread, once it sent the FlowSpec. */
export type Request =
  | { readonly kind: 'status'; readonly id: number }
  /** Starts the accounting of delay and lateness anew. */
  | { readonly kind: 'mark' }
  /** Closes all and ends the thread. */
  | { readonly kind: 'finish' };

/** What the flows' thread tells. */
export type Notice =
  | { readonly kind: 'opened' }
  | { readonly kind: 'status'; readonly id: number; readonly status: FlowStatus }
  | { readonly kind: 'all-ended' }
  /** Its last words. */
  | { readonly kind: 'finished'; readonly observation: ClientObservation };
