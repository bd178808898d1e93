/** What tells one artifact of a run from another: names are unique per run, all its jobs and attempts together. */
export interface ArtifactIdentity {
  /** The proxy mode or another level of the matrix; undefined where there is none. */
  readonly mode: string | undefined;
  /** The Kubernetes version; undefined where there is none. */
  readonly version: string | undefined;
  /** GITHUB_RUN_ATTEMPT: a rerun keeps the artifacts of the attempts before. */
  readonly attempt: number;
}

/** With what the names of this project's artifacts begin. */
export const artifactPrefix = 'drainwatch-';

/** `drainwatch-iptables-v1.34.0-attempt-1`, of characters that the artifact service and every file system take. */
export const artifactNameOf = ({ mode, version, attempt }: ArtifactIdentity): string =>
  artifactPrefix +
  [mode, version, `attempt-${attempt}`]
    .filter((part) => part !== undefined)
    .map((part) => part.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replaceAll(/^-+|-+$/g, ''))
    .filter((part) => part !== '')
    .join('-');
