import { interruptedStatus } from '../assembly/exit-status.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A signal that asked this run to end. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`interrupted by ${signal}`);
    this.signal = signal;
  }
}

/**
 * Aborts on the first SIGINT, SIGTERM or SIGHUP, so that whatever was made is removed; a second SIGINT ends the process
 * at once, and the next run's clean-up has to do it.
 */
export function abortOnSignals(notice: (text: string) => void): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const onSignal = (signal: NodeJS.Signals) => {
    if (!controller.signal.aborted) {
      notice(`${signal}: removing what was made; press Ctrl-C again to leave at once`);
      controller.abort(new Interruption(signal));
    } else if (signal === 'SIGINT') {
      process.exit(interruptedStatus(signal));
    }
  };
  for (const signal of signals) process.on(signal, onSignal);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
