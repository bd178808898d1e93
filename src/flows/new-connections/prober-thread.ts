import { Worker } from 'node:worker_threads';
import { describeError } from '../../domain/errors.ts';
import { measured, notMeasured, type Measured } from '../../domain/measured.ts';
import type { AttemptRecord, NewConnectionSpec, OpenNewConnections } from '../../domain/new-connections.ts';
import { settleLater } from '../settle-later.ts';
import type { Notice, Request } from './messages.ts';

/** The main thread's end of the prober's thread. Its death costs the new connections, not the trial. */
export class ProberThread implements OpenNewConnections {
  readonly #worker: Worker;
  readonly #opened = settleLater<undefined>();
  readonly #seen = settleLater<Measured<readonly AttemptRecord[]>>();
  #found: Measured<readonly AttemptRecord[]> | undefined;

  constructor(workerFile: string, spec: NewConnectionSpec) {
    // the flags of this process, as an inspector's or a loader's, are not for a thread that must not be delayed
    this.#worker = new Worker(workerFile, { name: 'new-connections', execArgv: [] });
    this.#worker.postMessage(spec);
    this.#worker.on('message', (notice: Notice) => {
      if (notice.kind === 'dialling') this.#opened.resolve(undefined);
      else this.#found = measured(notice.records);
    });
    this.#worker.on('error', (error) => {
      this.#found = died(describeError(error));
    });
    this.#worker.on('exit', (code) => {
      this.#seen.resolve(this.#found ?? died(`exit code ${code}`));
      this.#opened.resolve(undefined);
    });
  }

  /** Resolves when the thread dials, and when it died before. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  finish(): Promise<Measured<readonly AttemptRecord[]>> {
    const request: Request = { kind: 'finish' };
    this.#worker.postMessage(request);
    return this.#seen.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}

const died = (how: string): Measured<never> =>
  notMeasured(`the thread that dials ended before it was asked to: ${how}`);
