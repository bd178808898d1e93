import { Agent } from 'node:http';
import type https from 'node:https';
import type { Socket } from 'node:net';
import { KubeConfig } from '@kubernetes/client-node';

/** How long a silent peer is left alone before its kernel is asked whether the connection still stands. */
const keepAliveIdleMs = 10_000;

type FetchOptions = Awaited<ReturnType<KubeConfig['applyToFetchOptions']>>;

/**
 * The kubeconfig as one streaming request (a watch, a followed log) uses it, and that request's connection.
 *
 * What client-node 1.4.0 does by itself: its Watch makes a 30 s time-out signal and overwrites it on the next line, so
 * no time-out of its own ends a silent watch (2.0 does end it). Once headers arrived it turns on TCP keep-alive with
 * 30 s of idleness: libuv then probes each second, ten times, so that a dead peer is noticed after 40 s, the whole of a
 * 30 s grace period. Its Log turns on nothing: a dead peer would look silent for ever. Neither bounds the wait for
 * headers, and neither can be aborted before they came. Hence this class: keep-alive after 10 s, noticed within 20 s, on
 * both, and a way to end the connection at any time. A silent but living peer acknowledges the probes and is never cut.
 */
export class StreamConnection extends KubeConfig {
  readonly #base: KubeConfig;
  #agent: Agent | undefined;
  #closed = false;
  #socketErrorCode: string | undefined;

  constructor(base: KubeConfig) {
    super();
    this.#base = base;
  }

  /** What the kernel said when it gave up the connection, as ETIMEDOUT for a dead peer. */
  get socketErrorCode(): string | undefined {
    return this.#socketErrorCode;
  }

  override getCurrentCluster() {
    return this.#base.getCurrentCluster();
  }

  override async applyToFetchOptions(options: https.RequestOptions): Promise<FetchOptions> {
    const init = await this.#base.applyToFetchOptions(options);
    if (init.agent instanceof Agent) this.#agent = init.agent;
    if (this.#closed) throw new Error('the stream was closed before it was opened');
    return init;
  }

  /** To be called once headers arrived: client-node sets its own keep-alive right before. */
  watchOverPeer(): void {
    for (const socket of this.#sockets()) {
      socket.setKeepAlive(true, keepAliveIdleMs);
      socket.once('error', (error: NodeJS.ErrnoException) => {
        this.#socketErrorCode = error.code;
      });
    }
  }

  /** Ends the connection, in whatever state it is. */
  close(): void {
    this.#closed = true;
    this.#agent?.destroy();
  }

  #sockets(): readonly Socket[] {
    return Object.values(this.#agent?.sockets ?? {}).flatMap((sockets) => sockets ?? []);
  }
}
