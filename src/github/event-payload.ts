import { z } from 'zod';

/** The parts of GitHub's webhook payloads that are read (docs.github.com, "Webhook events and payloads"). */

const repositorySchema = z.object({ id: z.number(), full_name: z.string() });

export const pullRequestPayload = z.object({
  repository: repositorySchema,
  pull_request: z.object({
    number: z.number(),
    /** `repo` is null when the fork was deleted. */
    head: z.object({ sha: z.string(), repo: repositorySchema.nullable() }),
    base: z.object({ sha: z.string(), repo: repositorySchema }),
  }),
});

export const pushPayload = z.object({ ref: z.string() });

export const workflowRunPayload = z.object({
  repository: repositorySchema,
  workflow_run: z.object({
    id: z.number(),
    run_attempt: z.number(),
    /** `.github/workflows/ci.yml`, in some answers with `@ref` behind it. */
    path: z.string(),
    event: z.string(),
    conclusion: z.string().nullable(),
    head_sha: z.string(),
    head_branch: z.string().nullable(),
    repository: repositorySchema,
    /** Null when the fork was deleted. */
    head_repository: repositorySchema.nullable(),
  }),
});
