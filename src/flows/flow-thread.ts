import { Worker } from 'node:worker_threads';
import type { ClientObservation, FlowSpec, FlowStatus, OpenFlows } from '../domain/client.ts';
import { harnessError, type ActionableError } from '../domain/errors.ts';
import type { Notice, Request } from './messages.ts';
import { settleLater } from './settle-later.ts';

/** Most of what an exchange allocates dies at once: a small nursery is emptied often, briefly, and stays in the cache. */
const maxYoungGenerationSizeMb = 6;

/** The main thread's end of the flows' thread. */
export class FlowThread implements OpenFlows {
  readonly #worker: Worker;
  readonly #opened = settleLater<undefined>();
  readonly #allEnded = settleLater<undefined>();
  readonly #failed = settleLater<never>();
  /** Rejects when there is no thread to answer any more, whoever ended it. */
  readonly #gone = settleLater<never>();
  readonly #observed = settleLater<ClientObservation>();
  readonly #exited = settleLater<undefined>();
  readonly #statusRequests = new Map<number, (status: FlowStatus) => void>();
  #nextRequest = 0;
  #error: unknown;
  #isDisposed = false;
  #isFinished = false;
  #finishing: Promise<ClientObservation> | undefined;

  constructor(workerFile: string, spec: FlowSpec) {
    // the flags of this process, as an inspector's or a loader's, are not for a thread that must not be delayed
    this.#worker = new Worker(workerFile, {
      name: 'flows',
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb },
    });
    this.#worker.postMessage(spec);
    this.#worker.on('message', (notice: Notice) => {
      this.#hear(notice);
    });
    this.#worker.on('error', (error) => {
      this.#error = error;
    });
    this.#worker.on('exit', (code) => {
      this.#end(code);
    });
  }

  /** Resolves when every flow was dialled. Rejects when the thread ended before. */
  get opened(): Promise<void> {
    return this.#unlessGone(this.#opened.promise);
  }

  get allEnded(): Promise<void> {
    return this.#allEnded.promise;
  }

  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  status(): Promise<FlowStatus> {
    const id = this.#nextRequest++;
    const answer = new Promise<FlowStatus>((resolve) => this.#statusRequests.set(id, resolve));
    this.#ask({ kind: 'status', id });
    return this.#unlessGone(answer);
  }

  mark(): void {
    this.#ask({ kind: 'mark' });
  }

  finish(): Promise<ClientObservation> {
    this.#finishing ??= this.#finish();
    return this.#finishing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await this.#worker.terminate();
  }

  async #finish(): Promise<ClientObservation> {
    this.#ask({ kind: 'finish' });
    const observation = await this.#unlessGone(this.#observed.promise);
    await this.#exited.promise;
    return observation;
  }

  #ask(request: Request): void {
    this.#worker.postMessage(request);
  }

  #unlessGone<T>(answer: Promise<T>): Promise<T> {
    return Promise.race([answer, this.#gone.promise]);
  }

  #hear(notice: Notice): void {
    switch (notice.kind) {
      case 'opened':
        this.#opened.resolve(undefined);
        break;
      case 'all-ended':
        this.#allEnded.resolve(undefined);
        break;
      case 'status':
        this.#statusRequests.get(notice.id)?.(notice.status);
        this.#statusRequests.delete(notice.id);
        break;
      case 'finished':
        this.#isFinished = true;
        this.#observed.resolve(notice.observation);
        break;
      default:
        notice satisfies never;
    }
  }

  #end(exitCode: number): void {
    this.#exited.resolve(undefined);
    this.#statusRequests.clear();
    if (this.#isFinished || this.#isDisposed) {
      this.#gone.reject(closedError());
      return;
    }
    const error = diedError(exitCode, this.#error);
    this.#gone.reject(error);
    this.#failed.reject(error);
  }
}

const closedError = (): ActionableError =>
  harnessError({
    expected: 'flows are asked while they are open',
    found: 'the flows were closed',
    remedy: 'ask before finish() and before they are disposed of',
  });

const diedError = (exitCode: number, cause: unknown): ActionableError =>
  harnessError(
    {
      expected: 'the thread that holds the flows lives until it is asked to finish',
      found: `it ended by itself with exit code ${exitCode}`,
      remedy: 'the trial counts for nothing; the cause says what ended the thread, and a repeat may help',
    },
    cause,
  );
