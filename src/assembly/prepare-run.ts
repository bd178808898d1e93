import type { Provider } from '../domain/cluster.ts';
import type { Matrix } from '../domain/matrix.ts';
import { requirements } from '../domain/scenario.ts';
import { fitMatrix } from '../experiment/fit-matrix.ts';
import { planExperiment, type Plan } from '../experiment/plan.ts';
import { requireDescriptors } from '../flows/open-files.ts';
import type { RunManifest } from '../report/manifest.ts';
import type { RunFolder } from '../report/run-folder.ts';
import { foreseenLacks, lackLine } from './foreseen-lacks.ts';
import { clusterOptions, manifestOptions, type RunOptions } from './run-options.ts';
import { readMatrix, type MatrixFactors } from './matrix-factors.ts';
import { plugIns } from './plug-ins.ts';
import { chooseProvider, createProviders, namedProvider } from './providers.ts';
import { newRunId } from './run-id.ts';
import type { Session } from './session.ts';
import { stretchedInterval } from './stretched-interval.ts';

/** A run that was checked as far as it can be without making anything. */
export interface PreparedRun {
  readonly plan: Plan;
  readonly provider: Provider;
  readonly manifest: RunManifest;
}

/**
 * Chooses the provider and plans the matrix for it.
 *
 * @throws {ActionableError} of kind `input` or `requirement`; names are checked before Docker or a cluster is asked.
 */
export async function prepareRun(
  options: RunOptions & MatrixFactors,
  session: Session,
  signal: AbortSignal,
): Promise<PreparedRun> {
  const providers = createProviders(session.providerContext, options);
  if (options.provider !== 'auto') namedProvider(options.provider, providers);
  planExperiment(await readMatrix(options, defaultMatrix(options.provider), session.files), anyProvider, plugIns);

  const provider = await chooseProvider(options.provider, providers, session.notice, signal);
  const asked = {
    proxyModes: options.proxyModes !== undefined,
    kubernetesVersions: options.kubernetesVersions !== undefined,
    nodePort: options.port !== undefined,
  };
  const chosen = await readMatrix(options, defaultMatrix(provider.name), session.files);
  const matrix = fitMatrix(chosen, provider, asked);
  tellLostFactors(chosen, matrix, provider.name, session.notice);
  tellShortSettling(matrix, provider, session.notice);
  const plan = planExperiment(matrix, provider, plugIns);
  const stretched = stretchedInterval(plan);
  if (stretched !== undefined) session.notice(stretched);
  requireDescriptors((matrix.flows.tcp + matrix.flows.udp) * plan.isolation.lanes);
  for (const lack of await foreseenLacks(plan, provider, clusterOptions(options), signal))
    session.notice(lackLine(lack));
  const startedAt = new Date();
  const manifest: RunManifest = {
    schemaVersion: 1,
    run: newRunId(matrix.name, startedAt),
    tool: session.tool,
    matrix,
    provider: provider.name,
    startedAt: startedAt.toISOString(),
    options: manifestOptions(options),
  };
  return { plan, provider, manifest };
}

/** What a stored run needs to go on: its own provider, and its own matrix planned again. */
export async function prepareResumption(
  { manifest }: RunFolder,
  options: RunOptions,
  session: Session,
  signal: AbortSignal,
): Promise<PreparedRun> {
  const { kubernetesVersions, proxyModes } = manifest.matrix;
  const providers = createProviders(session.providerContext, { ...options, kubernetesVersions, proxyModes });
  const provider = await chooseProvider(manifest.provider, providers, session.notice, signal);
  return { plan: planExperiment(manifest.matrix, provider, plugIns), provider, manifest };
}

/** The plan of a stored run, without asking whether its provider could work here. */
export const planOfStoredRun = ({ manifest }: Pick<RunFolder, 'manifest'>, session: Session): Plan =>
  planExperiment(manifest.matrix, createProviders(session.providerContext, {}).get(manifest.provider), plugIns);

/** What a matrix asks for and a provider can't choose is not dropped in silence. */
function tellLostFactors(chosen: Matrix, fitted: Matrix, provider: string, notice: (text: string) => void): void {
  for (const factor of ['proxyModes', 'kubernetesVersions'] as const) {
    if (chosen[factor].length === 0 || fitted[factor].length > 0) continue;
    notice(
      `provider ${provider} makes no cluster: ${factor} ${chosen[factor].join(', ')} of matrix ${chosen.name} is not applied`,
    );
  }
}

/** The least calm, in seconds, after which SIGTERM was not seen a second late (docs/measuring.md, A trial). */
const leastSettleSeconds = 3;

function tellShortSettling(matrix: Matrix, provider: Provider, notice: (text: string) => void): void {
  if (!provider.capabilities.has('kubernetes-api') || matrix.settleSeconds >= leastSettleSeconds) return;
  notice(
    `settling for ${matrix.settleSeconds} s: a kubelet may take a second longer to act so soon after preflight; ${leastSettleSeconds} s or more avoid that`,
  );
}

const defaultMatrix = (provider: string) => (provider === 'local' ? 'local' : 'standard');

/** Can do everything: a matrix is checked by itself before it is fitted to a provider. */
export const anyProvider = { name: 'any', capabilities: new Set(requirements) };
