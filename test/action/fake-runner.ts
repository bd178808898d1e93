import { onTestFinished } from 'vitest';
import { runtimeToken, startResultsService } from '../fixtures/github/results-service.ts';
import { FakeGitHub } from '../fixtures/github/server.ts';
import { startBlobSink } from './blob-sink.ts';
import { Job, type JobOptions } from './step.ts';

/**
 * GitHub's API and its artifact service, on loopback, and jobs that know of nothing else.
 *
 * @param uploadUrl where archives go instead of the sink
 */
export async function fakeRunner(uploadUrl?: (name: string) => string) {
  const github = await FakeGitHub.start();
  const sink = await startBlobSink();
  const results = await startResultsService(uploadUrl ?? sink.addressOf);
  onTestFinished(async () => {
    await github[Symbol.asyncDispose]();
    await results[Symbol.asyncDispose]();
    await sink[Symbol.asyncDispose]();
  });
  const job = (options: Partial<JobOptions> = {}) =>
    new Job({ apiUrl: github.url, resultsUrl: results.url, runtimeToken, ...options });
  return { github, sink, results, job };
}
