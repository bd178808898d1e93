/** The runner cancels a step with SIGINT, SIGTERM 7.5 s later, and then kills; what is left is the post step's. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** Aborts on the first signal, so that whatever was made is removed; later ones change nothing. */
export function abortOnCancel(notice: (text: string) => void): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) return;
    notice(`${name}: removing what was made`);
    controller.abort(new Cancelled(`the step was cancelled (${name})`));
  };
  for (const name of signals) process.on(name, onSignal);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const name of signals) process.off(name, onSignal);
    },
  };
}
