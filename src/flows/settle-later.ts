/** A promise with its two ends; Node 20 has no Promise.withResolvers. */
export interface Later<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

/** A rejection that nobody waits for is no defect: whoever needs the promise looks at it. */
export function settleLater<T>(): Later<T> {
  let settle: Omit<Later<T>, 'promise'> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  promise.catch(() => undefined);
  if (settle === undefined) throw new Error('a promise runs its executor at once');
  return { promise, ...settle };
}
