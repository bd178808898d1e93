import type { Docker } from './docker.ts';

/** The kubectl of a node image, which is of the cluster's own version; kind installs its network with it. */
export interface NodeKubectl {
  /** Server-side: some definitions are too large for the annotation that a client leaves. */
  apply(manifest: string): Promise<void>;
  /** Waits until a workload (`daemonset/NAME`) has its pods ready. */
  rolledOut(namespace: string, workload: string): Promise<void>;
  nodesReady(): Promise<void>;
}

const readyWithinSeconds = 300;

/** @throws {ActionableError} of kind `harness` from each, when kubectl fails or its time is over */
export function nodeKubectl(docker: Docker, node: string, signal: AbortSignal): NodeKubectl {
  const kubectl = async (args: readonly string[], input?: string) => {
    const command = ['exec', '--interactive', node, 'kubectl', '--kubeconfig', '/etc/kubernetes/admin.conf', ...args];
    await docker(command, { signal, timeoutMs: (readyWithinSeconds + 20) * 1000, input });
  };
  const timeout = `--timeout=${readyWithinSeconds}s`;
  return {
    apply: (manifest) => kubectl(['apply', '--server-side', '--filename', '-'], manifest),
    rolledOut: (namespace, workload) => kubectl(['--namespace', namespace, 'rollout', 'status', workload, timeout]),
    nodesReady: () => kubectl(['wait', '--for=condition=Ready', 'node', '--all', timeout]),
  };
}
