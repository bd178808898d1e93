import { KubeConfig } from '@kubernetes/client-node';
import { describeError, inputError } from '../domain/errors.ts';

/** Which kubeconfig and which of its contexts to use. */
export interface KubeconfigChoice {
  /** Undefined: $KUBECONFIG, else ~/.kube/config, else the service account of the pod that this runs in. */
  readonly kubeconfigPath: string | undefined;
  /** Undefined: the file's current context. */
  readonly context?: string;
}

/** @throws {ActionableError} of kind `input` when the file or what it must hold is missing or malformed. */
export function loadKubeconfig({ kubeconfigPath, context }: KubeconfigChoice): KubeConfig {
  const config = new KubeConfig();
  const origin = kubeconfigPath ?? process.env.KUBECONFIG ?? '~/.kube/config';
  const refuse = (found: string, remedy: string, cause?: unknown) =>
    inputError({ expected: 'a kubeconfig that names a cluster and how to reach it', found, remedy }, cause);
  try {
    if (kubeconfigPath === undefined) config.loadFromDefault();
    else config.loadFromFile(kubeconfigPath);
  } catch (error) {
    throw refuse(`${origin}: ${describeError(error)}`, 'give the path of a readable, well-formed kubeconfig', error);
  }
  // client-node invents this cluster where it finds no kubeconfig at all
  if (kubeconfigPath === undefined && config.getCurrentContext() === 'loaded-context') {
    throw refuse('no kubeconfig in $KUBECONFIG or ~/.kube/config', 'set KUBECONFIG, or give the path of a kubeconfig');
  }
  selectContext(config, context, (found, remedy) => refuse(`${origin}: ${found}`, remedy));
  return config;
}

function selectContext(
  config: KubeConfig,
  wanted: string | undefined,
  refuse: (found: string, remedy: string) => Error,
) {
  const names = config.getContexts().map(({ name }) => name);
  const known = names.length === 0 ? 'it has no contexts' : `its contexts are ${names.join(', ')}`;
  if (wanted !== undefined) config.setCurrentContext(wanted);
  const current: string | undefined = config.getCurrentContext();
  if (!current) throw refuse(`no current context; ${known}`, 'name the context to use');
  const context = config.getContextObject(current);
  if (context === null) throw refuse(`no context "${current}"; ${known}`, 'name one of the contexts that it has');
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw refuse(`context "${current}" names an unknown cluster "${context.cluster}"`, 'mend it');
  if (config.getCurrentUser() === null)
    throw refuse(`context "${current}" names an unknown user "${context.user}"`, 'mend it');
  if (!URL.canParse(cluster.server)) throw refuse(`cluster "${cluster.name}" has no valid server address`, 'mend it');
  if (cluster.server.startsWith('http:') && !cluster.skipTLSVerify) {
    throw refuse(
      `cluster "${cluster.name}" is served over plain HTTP`,
      'use https, or set insecure-skip-tls-verify for that cluster',
    );
  }
}
