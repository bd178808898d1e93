/**
 * Dials so many at once. A listener keeps only so many connections that it has not accepted yet (listen(2); 128 and 511
 * are common), and drops the rest for a second.
 */
const mostAtOnce = 100;

/** What can be dialled: `dial` never rejects. */
export interface Dialable {
  dial(): Promise<void>;
}

/** Dials all of them, in order. Resolves when the last is done. */
export async function dialInTurn(flows: readonly Dialable[]): Promise<void> {
  const rest = flows.values();
  const dialRest = async () => {
    for (const flow of rest) await flow.dial();
  };
  await Promise.all(Array.from({ length: Math.min(mostAtOnce, flows.length) }, dialRest));
}
