import ora from 'ora';
import type { Progress, ProgressSink } from '../experiment/progress.ts';
import { lastingLine, phaseLine } from '../assembly/progress-words.ts';

/** Shows how a run goes, on standard error: standard output is the result's. */
export interface ProgressView extends Disposable {
  readonly show: ProgressSink;
  readonly notice: (text: string) => void;
}

/** A live line on a terminal; plain lines elsewhere, one for each fact that stays. */
export const createProgressView = (stream: NodeJS.WriteStream): ProgressView =>
  stream.isTTY && process.env.CI === undefined ? liveView(stream) : plainView(stream);

function plainView(stream: NodeJS.WriteStream): ProgressView {
  const write = (line: string) => void stream.write(`${line}\n`);
  return {
    notice: write,
    show(progress) {
      const line = lastingLine(progress);
      if (line !== undefined) write(line);
    },
    [Symbol.dispose]: () => undefined,
  };
}

function liveView(stream: NodeJS.WriteStream): ProgressView {
  // this process handles SIGINT itself and must get it
  const color = process.env.NO_COLOR === undefined ? 'cyan' : false;
  const spinner = ora({ stream, discardStdin: false, hideCursor: false, color });
  let count = '';
  const write = (line: string) => {
    spinner.clear();
    stream.write(`${line}\n`);
    spinner.render();
  };
  return {
    notice: write,
    show(progress: Progress) {
      const line = lastingLine(progress);
      if (line !== undefined) write(line);
      if (progress.kind === 'trial-ended') count = `[${progress.done}/${progress.planned}] `;
      const current = currentLine(progress);
      if (current !== undefined) spinner.start(`${count}${current}`);
    },
    [Symbol.dispose]() {
      spinner.stop();
    },
  };
}

function currentLine(progress: Progress): string | undefined {
  if (progress.kind === 'trial-phase') return phaseLine(progress);
  if (progress.kind === 'cluster-opening') return `${progress.cluster}: creating`;
  return progress.kind === 'cluster-closing' ? `${progress.cluster}: deleting` : undefined;
}
