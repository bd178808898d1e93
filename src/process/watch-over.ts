import { endGroup, endGroupWithUs } from './process-group.ts';

/** Time between SIGTERM and SIGKILL for a command that is told to end. */
export const graceMs = 5000;

/** Why a command was told to end before it would have. */
export type Interruption = 'abort' | 'timeout';

/**
 * Ends the group of `leader` on abort, on time-out, and when this process ends. `settle` is called once the leader
 * has ended, and resolves when an interrupted group is gone.
 */
export function watchOver(
  leader: number | undefined,
  { signal, timeoutMs }: { readonly signal?: AbortSignal | undefined; readonly timeoutMs?: number | undefined },
) {
  if (leader === undefined)
    return { interruption: () => undefined, interrupt: () => undefined, settle: () => Promise.resolve() };
  let interruption: Interruption | undefined;
  let ending = Promise.resolve();
  const interrupt = (why: Interruption) => {
    if (interruption !== undefined) return;
    interruption = why;
    ending = endGroup(leader, graceMs);
  };
  const onAbort = () => {
    interrupt('abort');
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          interrupt('timeout');
        }, timeoutMs);
  const unguard = endGroupWithUs(leader);
  return {
    interruption: (): Interruption | undefined => interruption,
    interrupt: onAbort,
    async settle() {
      signal?.removeEventListener('abort', onAbort);
      clearTimeout(timer);
      await ending;
      unguard();
    },
  };
}
