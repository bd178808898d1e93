import { z } from 'zod';
import type { Api } from './api.ts';
import { done, type ApiResult } from './api-result.ts';
import { artifactPrefix } from './artifact-name.ts';

const artifactSchema = z.object({
  id: z.number(),
  name: z.string(),
  size_in_bytes: z.number(),
  expired: z.boolean(),
  /** `sha256:` and the hexadecimal digest of the archive; absent for artifacts of older services. */
  digest: z.string().nullish(),
  workflow_run: z.object({ id: z.number().optional() }).nullish(),
});
export type Artifact = z.infer<typeof artifactSchema>;

/** A run's artifacts, oldest first. @param name undefined: of any name */
export async function artifactsOf(
  api: Api,
  runId: number,
  name: string | undefined,
  signal: AbortSignal,
): Promise<ApiResult<readonly Artifact[]>> {
  const listed = await api.pages(
    {
      route: 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts',
      parameters: { run_id: runId, ...(name === undefined ? {} : { name }) },
      schema: z.object({ artifacts: z.array(artifactSchema) }),
    },
    ({ artifacts }) => artifacts,
    signal,
  );
  if (listed.status !== 'ok') return listed;
  const ofRun = listed.value.filter(({ workflow_run: run }) => run?.id === runId);
  return done(ofRun.toSorted((left, right) => left.id - right.id));
}

/**
 * Names of the artifacts that bear this project's prefix and can still be downloaded, oldest first, each once. Whoever
 * controls the run chose them.
 */
export async function artifactNames(
  api: Api,
  runId: number,
  signal: AbortSignal,
): Promise<ApiResult<readonly string[]>> {
  const artifacts = await artifactsOf(api, runId, undefined, signal);
  if (artifacts.status !== 'ok') return artifacts;
  const names = artifacts.value.filter(({ expired }) => !expired).map(({ name }) => name);
  return done([...new Set(names.filter((name) => name.startsWith(artifactPrefix)))]);
}
