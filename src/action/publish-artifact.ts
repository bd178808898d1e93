import type { Aggregate } from '../domain/aggregate.ts';
import { artifactNameOf, artifactPrefix } from '../github/artifact-name.ts';
import { uploadArtifact } from '../github/artifact-upload.ts';
import { outcomeOfFailure } from './part-outcomes.ts';
import type { PartOutcome, Publication } from './publication.ts';
import type { PublicationInputs } from './publication-inputs.ts';

/** The level of a factor that names the artifact: the only one. */
const onlyOne = (levels: readonly string[]): string | undefined => (levels.length === 1 ? levels[0] : undefined);

/** The name as wished, or made of what the matrix has one of; always with the attempt, for a rerun keeps what was before. */
export function artifactName(
  { artifactName: wished }: Pick<PublicationInputs, 'artifactName'>,
  { proxyModes, kubernetesVersions }: Pick<Aggregate['matrix'], 'proxyModes' | 'kubernetesVersions'>,
  attempt: number,
): string {
  return wished === undefined
    ? artifactNameOf({ mode: onlyOne(proxyModes), version: onlyOne(kubernetesVersions), attempt })
    : artifactNameOf({ mode: wished.slice(artifactPrefix.length), version: undefined, attempt });
}

export interface UploadedArtifact {
  readonly outcome: PartOutcome;
  readonly url?: string;
}

/** Uploads the run's folder. The runner's own token is used, which a fork's run has too. */
export async function publishArtifact(
  { folder, inputs, runner, setOutput }: Pick<Publication, 'folder' | 'inputs' | 'runner' | 'setOutput'>,
  signal: AbortSignal,
): Promise<UploadedArtifact> {
  const { artifactRetentionDays: retentionDays } = inputs;
  const name = artifactName(inputs, folder.manifest.matrix, runner.attempt);
  const request = { folder: folder.path, name, ...(retentionDays === undefined ? {} : { retentionDays }) };
  const result = await uploadArtifact(request, signal);
  if (result.status !== 'uploaded') return { outcome: outcomeOfFailure(result, 'actions: write') };
  const url = `${runner.runUrl}/artifacts/${result.id}`;
  setOutput('artifact-id', String(result.id));
  setOutput('artifact-name', result.name);
  setOutput('artifact-url', url);
  return { outcome: { status: 'done', detail: `${result.name}: ${result.files} files, ${result.bytes} bytes` }, url };
}
