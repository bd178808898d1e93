import { z } from 'zod';
import type { MatrixFactors } from '../assembly/matrix-factors.ts';
import type { RunOptions } from '../assembly/run-options.ts';
import { clusterReuses } from '../domain/matrix.ts';
import { decimalNumber, line, nameList, oneOf, wholeNumber, wholeNumberOrAuto, yesOrNo } from './input-forms.ts';
import { publicationForm, type PublicationInputs } from './publication-inputs.ts';
import { readInputs, type InputSource } from './read-inputs.ts';

/** More than the content of any kubeconfig. */
const mostKubeconfigCharacters = 1_000_000;
const namespaceName = /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/;

/** The inputs of action.yml that say what is run: `gracePeriod` is its `grace-period`. */
export const runForm = z.object({
  matrix: line().prefault('auto'),
  scenarios: nameList.exactOptional(),
  proxyModes: nameList.exactOptional(),
  kubernetesVersions: nameList.exactOptional(),
  repeats: wholeNumber(1, 1000).exactOptional(),
  gracePeriod: wholeNumber(1, 3600).exactOptional(),
  tcpFlows: wholeNumber(0, 5000).exactOptional(),
  udpFlows: wholeNumber(0, 5000).exactOptional(),
  newConnectionInterval: wholeNumber(0, 1000).exactOptional(),
  evidence: yesOrNo.exactOptional(),
  settle: decimalNumber(0, 600).exactOptional(),
  trailing: decimalNumber(0, 120).exactOptional(),
  clusterReuse: oneOf(clusterReuses).exactOptional(),
  concurrency: wholeNumberOrAuto(1, 50).exactOptional(),
  provider: oneOf(['auto', 'kind', 'kubeconfig', 'local']).prefault('auto'),
  nodeImage: line().exactOptional(),
  kindPath: line().exactOptional(),
  ciliumManifest: line().exactOptional(),
  workers: wholeNumber(1, 20).prefault('1'),
  kubeconfig: z
    .string()
    .max(mostKubeconfigCharacters, `at most ${mostKubeconfigCharacters} characters`)
    .exactOptional(),
  context: line().exactOptional(),
  namespace: z
    .string()
    .regex(namespaceName, 'the name of a namespace: lower-case letters, digits and hyphens')
    .exactOptional(),
  probeImage: line().exactOptional(),
  nodeAddress: z.union([z.ipv4(), z.ipv6()], 'an IP address').exactOptional(),
  emulated: yesOrNo.exactOptional(),
  port: wholeNumber(1, 65_535).exactOptional(),
  outputFolder: line().exactOptional(),
});

export interface ActionInputs {
  /** As the command line has them, but that `kubeconfig` may be the file's content. */
  readonly run: RunOptions & MatrixFactors;
  readonly outputFolder: string | undefined;
  readonly publication: PublicationInputs;
}

/** @throws {ActionableError} of kind `input` that names every wrong input and what is allowed. */
export function readActionInputs(source: InputSource): ActionInputs {
  const [inputs, publication] = readInputs([runForm, publicationForm], source);
  const { matrix, provider, kubeconfig, outputFolder, newConnectionInterval, ...others } = inputs;
  return {
    run: {
      ...others,
      ...(newConnectionInterval === undefined ? {} : { newConnections: newConnectionInterval }),
      ...(matrix === 'auto' ? {} : { matrix }),
      ...(kubeconfig === undefined ? {} : { kubeconfig }),
      provider: provider === 'auto' && kubeconfig !== undefined ? 'kubeconfig' : provider,
    },
    outputFolder,
    publication,
  };
}
