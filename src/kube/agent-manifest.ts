/* eslint-disable @typescript-eslint/no-unsafe-class-instance-assignment --
   client-node's models are classes without behaviour; literals are how its own examples make them */
import type { V1Pod } from '@kubernetes/client-node';
import { managedBy, probeContainer, unprivileged, type ProbeImage, type WorkloadNames } from './manifests.ts';

/** Where the client's control listens in its pod, on loopback (probe/PROTOCOL.md, "Client"). */
export const agentPort = 8081;

const agentLabel = 'drainwatch/client-of';

/** Which nodes a client may run on, as seen from the workload's pod. */
export type AgentPlace = 'same-node' | 'cross-node';

/** An object of the API, as an owner reference names it. */
export interface AgentOwner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

export interface AgentManifestOptions {
  readonly place: AgentPlace;
  /** The node of the workload's pod. */
  readonly node: string;
  readonly image: ProbeImage;
  /** What the client goes with: the garbage collector removes it, whoever removes that. */
  readonly owner: AgentOwner;
}

/**
 * A pod of the probe's image that dials new connections. Its labels are none that the workload's Service selects. It
 * runs under the `restricted` Pod Security Standard, and tolerates a control plane: of a cluster with one worker that is
 * the other node.
 */
export function agentManifest(names: WorkloadNames, { place, node, image, owner }: AgentManifestOptions): V1Pod {
  const operator = place === 'same-node' ? 'In' : 'NotIn';
  return {
    metadata: {
      generateName: `client-${place}-`,
      labels: { ...managedBy, [agentLabel]: names.run },
      ownerReferences: [owner],
    },
    spec: {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 1,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator, values: [node] }] }],
          },
        },
      },
      tolerations: [{ key: 'node-role.kubernetes.io/control-plane', operator: 'Exists', effect: 'NoSchedule' }],
      securityContext: unprivileged.pod,
      containers: [
        {
          // the name by which a pod's state is read
          name: probeContainer,
          image: image.probeImage,
          imagePullPolicy: image.imagePullPolicy,
          args: ['dial', '--port', `${agentPort}`],
          resources: { requests: { cpu: '50m', memory: '128Mi' } },
          securityContext: unprivileged.container,
        },
      ],
    },
  };
}
