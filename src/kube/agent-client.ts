import pRetry from 'p-retry';
import { measured, notMeasured, type Measured } from '../domain/measured.ts';
import type { AttemptRecord, NewConnectionClient, OpenNewConnections } from '../domain/new-connections.ts';
import { readAttempts, readDialAnswer } from '../timeline/agent-messages.ts';
import type { KubernetesApi } from './api.ts';
import { reasonOf } from './api-error.ts';
import { askThroughPod, type ForwardTarget } from './port-forward.ts';

const finishWithinMs = 30_000;

/** Dials from a client pod. Nothing passes between here and it while it dials. */
export function createAgentClient(api: KubernetesApi, target: ForwardTarget): NewConnectionClient {
  return {
    async open(spec, signal) {
      try {
        const request = { method: 'POST', path: '/dial', body: JSON.stringify(spec) } as const;
        const clock = readDialAnswer(await askThroughPod(api, target, request, signal));
        return dialling(() => finish(api, target, (text) => readAttempts(text, spec.path, clock)));
      } catch (error) {
        signal.throwIfAborted();
        const reason = notMeasured(`the client in pod ${target.pod} did not begin to dial: ${reasonOf(error)}`);
        return dialling(() => Promise.resolve(reason));
      }
    },
  };
}

type Seen = Measured<readonly AttemptRecord[]>;

function dialling(finishOnce: () => Promise<Seen>): OpenNewConnections {
  let finished: Promise<Seen> | undefined;
  const end = () => (finished ??= finishOnce());
  return {
    finish: end,
    // it would go on until its pod is removed
    async [Symbol.asyncDispose]() {
      await end();
    },
  };
}

/** Asked again, the client tells the same. */
async function finish(
  api: KubernetesApi,
  target: ForwardTarget,
  read: (text: string) => readonly AttemptRecord[],
): Promise<Seen> {
  const signal = AbortSignal.timeout(finishWithinMs);
  try {
    const ask = () => askThroughPod(api, target, { method: 'POST', path: '/finish' }, signal);
    return measured(read(await pRetry(ask, { retries: 2, minTimeout: 200, signal })));
  } catch (error) {
    return notMeasured(`the client in pod ${target.pod} did not tell what it saw: ${reasonOf(error)}`);
  }
}
