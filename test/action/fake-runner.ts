import { onTestFinished } from 'vitest';
import { runtimeToken, startResultsService } from '../fixtures/github/results-service.ts';
import { FakeGitHub } from '../fixtures/github/server.ts';
import { startBlobSink } from './blob-sink.ts';
import { Job, type JobOptions } from './step.ts';

/** GitHub's API and its artifact service, on loopback, and jobs that know of nothing else. */
export async function fakeRunner() {
  const github = await FakeGitHub.start();
  const sink = await startBlobSink();
  const results = await startResultsService((name) => sink.addressOf(name));
  onTestFinished(async () => {
    await github[Symbol.asyncDispose]();
    await results[Symbol.asyncDispose]();
    await sink[Symbol.asyncDispose]();
  });
  const job = (options: Partial<JobOptions> = {}) =>
    new Job({ apiUrl: github.url, resultsUrl: results.url, runtimeToken, ...options });
  return { github, sink, results, job };
}
