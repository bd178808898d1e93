import { setTimeout as delay } from 'node:timers/promises';
import type { KubeConfig } from '@kubernetes/client-node';
import { z } from 'zod';
import { describeError, harnessError } from '../domain/errors.ts';
import type { ClockReading } from '../domain/time.ts';
import { readClock } from '../timeline/client-clock.ts';
import { abortable } from './abortable.ts';
import { type WatchEnd, streamWatch } from './watch-stream.ts';

/** The part of any object that a watch goes by. */
export interface Watched {
  readonly name: string;
  readonly resourceVersion: string;
}

/** All objects of a watched collection, by name. */
export type Collection<T> = ReadonlyMap<string, T>;

export interface ResourceWatchOptions<T extends Watched> {
  readonly config: KubeConfig;
  /** Plural, as in the API's paths: pods, endpointslices. */
  readonly resource: string;
  readonly path: string;
  readonly labelSelector: string;
  readonly list: (
    signal: AbortSignal,
  ) => Promise<{ readonly resourceVersion: string; readonly items: readonly unknown[] }>;
  readonly parse: (object: unknown) => T;
  /** Called for each step from one state of the collection to the next; a relist after a gap is one step. */
  readonly onChange: (previous: Collection<T>, next: Collection<T>, reading: ClockReading) => void;
  readonly onInterrupted: (reason: string, reading: ClockReading) => void;
  readonly onResumed: (gapMs: number, reading: ClockReading) => void;
}

/** The server ends a watch after this long; far beyond a trial, so that it never ends one in the middle. */
const watchSeconds = 3600;
const firstBackoffMs = 100;
const maxBackoffMs = 5000;

const bookmarkSchema = z.object({ metadata: z.object({ resourceVersion: z.string() }) });

/**
 * Lists a collection, then watches it until stopped. A connection that ends is told as an interruption, opened again
 * from where it was, and told as resumed: no change is lost then, only late. Where the server forgot that place (410
 * Gone) the collection is listed anew and compared with what was known: what an object went through in between is
 * lost, above all the last state of one that is gone.
 */
export class ResourceWatch<T extends Watched> {
  readonly #options: ResourceWatchOptions<T>;
  readonly #stopping = new AbortController();
  #known: Collection<T> = new Map();
  /** Where to continue; undefined: from a new list. */
  #version: string | undefined;
  #interruptedAtNs: bigint | undefined;
  #lastHeardNs = 0n;
  #backoffMs = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(options: ResourceWatchOptions<T>) {
    this.#options = options;
  }

  /** Resolves once the collection was listed and the watch is open. @throws {ActionableError} when it can't be. */
  async start(signal: AbortSignal): Promise<void> {
    await this.#relist(signal);
    const opened = new Promise<WatchEnd | undefined>((resolve) => {
      this.#running = this.#run(resolve);
    });
    try {
      const failure = await abortable(opened, signal);
      if (failure !== undefined) throw this.#unopened(failure);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  #unopened({ reason }: WatchEnd) {
    return harnessError({
      expected: `the API server keeps a watch of ${this.#options.resource} open`,
      found: reason,
      remedy: "see that the kubeconfig's user may watch them, and that no proxy on the way cuts streams",
    });
  }

  /** Calls `settle` when the first connection opened, or with its end when it never did. */
  async #run(settle: (failure: WatchEnd | undefined) => void): Promise<void> {
    const { signal } = this.#stopping;
    for (;;) {
      const end = await this.#listAndFollow(() => {
        settle(undefined);
      });
      settle(end);
      if (signal.aborted) return;
      this.#noteInterruption(end);
      if (end.expired) this.#version = undefined;
      await delay(this.#backoffMs, undefined, { signal }).catch(() => undefined);
      this.#backoffMs = Math.min(Math.max(firstBackoffMs, this.#backoffMs * 2), maxBackoffMs);
    }
  }

  async #listAndFollow(onOpen: () => void): Promise<WatchEnd> {
    const { signal } = this.#stopping;
    try {
      if (this.#version === undefined) await this.#relist(signal);
    } catch (error) {
      return { expired: true, reason: describeError(error), peerLost: false };
    }
    const { config, path, labelSelector } = this.#options;
    const query = {
      labelSelector,
      resourceVersion: this.#version ?? '',
      allowWatchBookmarks: true,
      timeoutSeconds: watchSeconds,
    };
    return streamWatch(
      config,
      {
        path,
        query,
        onOpen: () => {
          this.#noteOpen();
          onOpen();
        },
        onMessage: (type, object, reading) => {
          this.#receive(type, object, reading);
        },
      },
      signal,
    );
  }

  async #relist(signal: AbortSignal): Promise<void> {
    const { resourceVersion, items } = await this.#options.list(signal);
    const reading = readClock();
    const listed = items.map((item) => this.#options.parse(item));
    this.#step(new Map(listed.map((item) => [item.name, item])), reading);
    this.#version = resourceVersion;
  }

  #receive(type: string, object: unknown, reading: ClockReading): void {
    this.#lastHeardNs = reading.monotonicNs;
    this.#backoffMs = 0;
    if (type === 'BOOKMARK') {
      this.#version = bookmarkSchema.parse(object).metadata.resourceVersion;
      return;
    }
    const item = this.#options.parse(object);
    this.#step(new Map(this.#known).set(item.name, item), reading);
    if (type === 'DELETED') {
      const rest = new Map(this.#known);
      rest.delete(item.name);
      this.#step(rest, reading);
    }
    this.#version = item.resourceVersion;
  }

  #step(next: Collection<T>, reading: ClockReading): void {
    const previous = this.#known;
    this.#known = next;
    this.#options.onChange(previous, next, reading);
  }

  #noteOpen(): void {
    const reading = readClock();
    this.#lastHeardNs = reading.monotonicNs;
    // a server that is back is not kept waiting, nor is one that ends every watch at once asked without a pause
    this.#backoffMs = Math.min(this.#backoffMs, firstBackoffMs);
    if (this.#interruptedAtNs === undefined) return;
    const gapMs = Number(reading.monotonicNs - this.#interruptedAtNs) / 1e6;
    this.#interruptedAtNs = undefined;
    this.#options.onResumed(gapMs, reading);
  }

  /** One interruption lasts until the watch is open again, however many attempts that takes. */
  #noteInterruption({ reason, peerLost }: WatchEnd): void {
    if (this.#interruptedAtNs !== undefined) return;
    const reading = readClock();
    // a lost peer may have been gone since it was last heard
    this.#interruptedAtNs = peerLost ? this.#lastHeardNs : reading.monotonicNs;
    this.#options.onInterrupted(reason, reading);
  }
}
