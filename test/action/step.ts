import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { pullRequest, type RunnerEvent } from './events.ts';
import { commandsIn, readKeyValues } from './runner-files.ts';

const actionFile = z.object({
  inputs: z.record(z.string(), z.object({ default: z.string() })),
  outputs: z.record(z.string(), z.object({})),
});
export const actions = {
  main: actionFile.parse(parse(readFileSync('action.yml', 'utf8'))),
  report: actionFile.parse(parse(readFileSync('report/action.yml', 'utf8'))),
};

/** What the runner gives a step whose `with:` is empty. */
const defaultsOf = (action: keyof typeof actions, token: string) =>
  Object.fromEntries(
    Object.entries(actions[action].inputs).map(
      ([name, { default: text }]) => [name, text.replace('${{ github.token }}', token)] as const,
    ),
  );

/** A trial of about a second, of what needs no cluster. */
export const tinyRun = {
  matrix: 'local',
  provider: 'local',
  scenarios: 'exit-now',
  repeats: '1',
  'grace-period': '2',
  'tcp-flows': '2',
  'udp-flows': '1',
  settle: '0.2',
  trailing: '0',
  charts: 'none',
};

/** The Node that runs a step: the runner's is 24 (scripts/install-azurite.sh names one), the tests' own where there is none. */
const runnerNode = existsSync(process.env.NODE24 ?? '') ? (process.env.NODE24 ?? '') : process.execPath;

export interface JobOptions {
  readonly apiUrl: string;
  /** Of the artifact service; undefined: a runner without one. */
  readonly resultsUrl?: string;
  readonly runtimeToken?: string;
  readonly token?: string;
  readonly event?: RunnerEvent;
  readonly runId?: number;
  readonly attempt?: number;
  /** The folder of the built actions. Default: what the tests build. */
  readonly bundle?: string;
  /** The Node.js that runs steps. Default: the runner's. */
  readonly node?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface StepResult {
  readonly exitCode: number | undefined;
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly state: Readonly<Record<string, string>>;
  commands(name: string): readonly { readonly properties: Readonly<Record<string, string>>; readonly data: string }[];
}

export interface RunningStep {
  /** A signal to the step's process, as the runner sends when a job is cancelled. */
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<StepResult>;
}

/** A job on a runner: a workspace, a temporary folder, and steps of the built actions in them. */
export class Job {
  readonly root: string;
  readonly workspace: string;
  readonly #options: JobOptions;
  #steps = 0;

  constructor(options: JobOptions) {
    this.root = mkdtempSync(join(tmpdir(), 'drainwatch-job-'));
    this.workspace = join(this.root, 'workspace');
    for (const folder of ['workspace', 'temp', 'home']) mkdirSync(join(this.root, folder));
    this.#options = options;
    onTestFinished(() => {
      rmSync(this.root, { recursive: true, force: true });
    });
  }

  start(
    entry: 'main' | 'post' | 'report',
    inputs: Readonly<Record<string, string>>,
    state: StepResult['state'] = {},
    env: Readonly<Record<string, string>> = {},
  ): RunningStep {
    const folder = join(this.root, `step-${++this.#steps}`);
    mkdirSync(folder);
    const file = (name: string, content = '') => {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    };
    const {
      apiUrl,
      resultsUrl,
      runtimeToken,
      token = 'ghs_workflow',
      event = pullRequest,
      runId = 100,
      attempt = 1,
      bundle = 'build/bundle',
      node = runnerNode,
    } = this.#options;
    const files = { output: file('output'), state: file('state'), summary: file('summary') };
    const given = { ...defaultsOf(entry === 'report' ? 'report' : 'main', token), ...inputs };
    const child = execa(node, [resolve(bundle, `action-${entry}.js`)], {
      cwd: this.workspace,
      reject: false,
      all: true,
      stdin: 'ignore',
      extendEnv: false,
      env: {
        PATH: process.env.PATH,
        HOME: join(this.root, 'home'),
        GITHUB_ACTIONS: 'true',
        GITHUB_EVENT_NAME: event.name,
        GITHUB_EVENT_PATH: file('event.json', JSON.stringify(event.payload)),
        GITHUB_SHA: event.sha,
        GITHUB_REPOSITORY: 'octocat/hello',
        GITHUB_RUN_ID: String(runId),
        GITHUB_RUN_ATTEMPT: String(attempt),
        GITHUB_API_URL: apiUrl,
        GITHUB_SERVER_URL: 'https://github.com',
        GITHUB_WORKSPACE: this.workspace,
        RUNNER_TEMP: join(this.root, 'temp'),
        GITHUB_OUTPUT: files.output,
        GITHUB_STATE: files.state,
        GITHUB_STEP_SUMMARY: files.summary,
        ...(resultsUrl === undefined ? {} : { ACTIONS_RESULTS_URL: resultsUrl, ACTIONS_RUNTIME_TOKEN: runtimeToken }),
        ...Object.fromEntries(
          Object.entries(given).map(([name, text]) => [`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`, text]),
        ),
        ...Object.fromEntries(Object.entries(state).map(([name, text]) => [`STATE_${name}`, text])),
        ...this.#options.env,
        ...env,
      },
    });
    // a step that spins hears no other signal, and its test has ended by its time limit
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = (async (): Promise<StepResult> => {
      const { exitCode, all } = await child;
      const log = all;
      return {
        exitCode,
        log,
        outputs: readKeyValues(files.output),
        summary: readFileSync(files.summary, 'utf8'),
        state: readKeyValues(files.state),
        commands: (name) => commandsIn(log).filter((command) => command.name === name),
      };
    })();
    return { kill: (signal) => void child.kill(signal), ended };
  }

  run(
    entry: 'main' | 'post' | 'report',
    inputs: Readonly<Record<string, string>>,
    state: StepResult['state'] = {},
    env: Readonly<Record<string, string>> = {},
  ): Promise<StepResult> {
    return this.start(entry, inputs, state, env).ended;
  }
}
