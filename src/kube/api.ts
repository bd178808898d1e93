import https from 'node:https';
import {
  AppsV1Api,
  type ConfigurationOptions,
  CoreV1Api,
  DiscoveryV1Api,
  type KubeConfig,
  Observable,
  type ObservableMiddleware,
  PatchStrategy,
  VersionApi,
  setHeaderOptions,
} from '@kubernetes/client-node';
import pRetry from 'p-retry';
import { explainApiError, isTransient } from './api-error.ts';

/** Options of one generated API method: they carry the signal and the connection. */
export type CallOptions = ConfigurationOptions;
type Request<T> = (options: CallOptions) => Promise<T>;

const requestTimeoutMs = 15_000;

/** An idle connection is given up before servers and middle boxes commonly do, so that no request meets a closed one. */
const idleConnectionMs = 45_000;

/** Adds the header without which a generated patch method sends a JSON patch. */
export const asMergePatch = (options: CallOptions): CallOptions =>
  setHeaderOptions('Content-Type', PatchStrategy.MergePatch, options);

/** Requests to one API server, abortable, bounded in time, and explained when they fail. */
export class KubernetesApi implements Disposable {
  readonly config: KubeConfig;
  readonly server: string;
  readonly core: CoreV1Api;
  readonly apps: AppsV1Api;
  readonly discovery: DiscoveryV1Api;
  readonly version: VersionApi;
  #agent: Promise<https.Agent | undefined> | undefined;

  constructor(config: KubeConfig) {
    this.config = config;
    this.server = config.getCurrentCluster()?.server ?? 'no server';
    this.core = config.makeApiClient(CoreV1Api);
    this.apps = config.makeApiClient(AppsV1Api);
    this.discovery = config.makeApiClient(DiscoveryV1Api);
    this.version = config.makeApiClient(VersionApi);
  }

  /**
   * Sends a request once. What must not be repeated goes here: a create, or the trigger of a trial.
   * @throws {ActionableError} that says what `action` could not be done, and the signal's reason when aborted
   */
  async once<T>(action: string, request: Request<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const deadline = AbortSignal.timeout(requestTimeoutMs);
    try {
      return await request(await this.#options(AbortSignal.any([signal, deadline])));
    } catch (error) {
      signal.throwIfAborted();
      const cause = deadline.aborted
        ? new Error(`no answer within ${requestTimeoutMs / 1000} s`, { cause: error })
        : error;
      throw explainApiError(action, this.server, cause);
    }
  }

  /** Sends a read or an idempotent write, again after a transient failure. @throws as `once` does */
  async repeatable<T>(action: string, request: Request<T>, signal: AbortSignal): Promise<T> {
    return pRetry(() => this.once(action, request, signal), {
      retries: 4,
      minTimeout: 200,
      maxTimeout: 2000,
      randomize: true,
      signal,
      shouldRetry: ({ error }) => isTransient(error),
    });
  }

  [Symbol.dispose](): void {
    this.#agent?.then(
      (agent) => agent?.destroy(),
      () => undefined,
    );
  }

  /** Credentials that could not be had once, as from a plug-in that is signed out, are asked for again. */
  #keptAlive(): Promise<https.Agent | undefined> {
    const making = (this.#agent ??= keptAliveAgent(this.config));
    making.catch(() => {
      if (this.#agent === making) this.#agent = undefined;
    });
    return making;
  }

  async #options(signal: AbortSignal): Promise<CallOptions> {
    const agent = await this.#keptAlive();
    const middleware: ObservableMiddleware = {
      pre: (context) => {
        context.setSignal(signal);
        if (agent !== undefined) context.setAgent(agent);
        return new Observable(Promise.resolve(context));
      },
      post: (context) => new Observable(Promise.resolve(context)),
    };
    return { middleware: [middleware] };
  }
}

/**
 * client-node makes an agent, so a TLS handshake, for each request (about 6 ms on loopback): a trigger would carry it
 * in every time of its trial. Undefined where a proxy stands between: its agent has a way of its own to connect.
 */
async function keptAliveAgent(config: KubeConfig): Promise<https.Agent | undefined> {
  const options: https.RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  const { agent } = options;
  if (!(agent instanceof https.Agent) || Object.getPrototypeOf(agent) !== https.Agent.prototype) return undefined;
  return new https.Agent({ ...agent.options, keepAlive: true, timeout: idleConnectionMs });
}
