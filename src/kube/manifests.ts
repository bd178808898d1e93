/* eslint-disable @typescript-eslint/no-unsafe-class-instance-assignment --
   client-node's models are classes without behaviour; literals are how its own examples make them */
import { createHash } from 'node:crypto';
import type { V1Deployment, V1Eviction, V1Namespace, V1Service } from '@kubernetes/client-node';
import type { WorkloadSpec } from '../domain/workload.ts';
import { ownerAnnotations } from './owner.ts';

export const probeContainer = 'probe';

/** The probe's ports (probe/PROTOCOL.md, "Command line"). */
const flowPort = 7000;
const httpPort = 8080;

/** Any number but 0 will do; this one is common in images that hold nothing but a program. */
const unprivilegedUser = 65532;

/** What the `restricted` Pod Security Standard asks of a pod and of its containers. */
export const unprivileged = {
  pod: {
    runAsNonRoot: true,
    runAsUser: unprivilegedUser,
    runAsGroup: unprivilegedUser,
    seccompProfile: { type: 'RuntimeDefault' },
  },
  container: {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  },
};

export const managedBy = { 'app.kubernetes.io/managed-by': 'drainwatch' } as const;
const runLabel = 'drainwatch/run';
/** Selects whatever this project made, of whatever run. */
export const ownSelector = Object.entries(managedBy)
  .map(([label, value]) => `${label}=${value}`)
  .join();

/** Annotation and label by whose change preflight proves that the watches deliver. */
export const markKey = 'drainwatch/preflight';

/** Where one workload's objects live and what they are called. */
export interface WorkloadNames {
  readonly namespace: string;
  /** Whether the namespace was made for this workload, and goes with it. */
  readonly ownNamespace: boolean;
  /** Of the Deployment and of the Service. */
  readonly object: string;
  /** The value of the label that all objects of the workload carry. */
  readonly run: string;
}

const maxLabelLength = 63;

const metadataOf = (name: string, names: WorkloadNames) => ({
  name,
  labels: labelsOf(names),
  annotations: ownerAnnotations(),
});

/**
 * A DNS label (RFC 1123) that starts with a letter, so that a Service may have it; of a long name, a digest stands for
 * the rest.
 * @param unique ends the name, a few letters or digits: what a killed run left is then in no later run's way
 */
export function workloadNames(spec: WorkloadSpec, givenNamespace: string | undefined, unique: string): WorkloadNames {
  const plain = `drainwatch-${spec.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`.replace(/-+$/, '');
  const digest = createHash('sha256').update(spec.name).digest('hex').slice(0, 8);
  const room = maxLabelLength - unique.length - 1;
  const object = `${plain.length <= room ? plain : `${plain.slice(0, room - 9)}-${digest}`}-${unique}`;
  return { namespace: givenNamespace ?? object, ownNamespace: givenNamespace === undefined, object, run: object };
}

export const labelsOf = ({ run }: WorkloadNames): Record<string, string> => ({ ...managedBy, [runLabel]: run });
export const selectorOf = ({ run }: WorkloadNames): string => `${runLabel}=${run}`;

/** The label by which the EndpointSlice controller ties slices to their Service (discovery/v1, LabelServiceName). */
export const sliceSelectorOf = ({ object }: WorkloadNames): string => `kubernetes.io/service-name=${object}`;

export const namespaceManifest = (names: WorkloadNames): V1Namespace => ({
  metadata: metadataOf(names.namespace, names),
});

export interface ProbeImage {
  readonly probeImage: string;
  readonly imagePullPolicy: 'Never' | 'IfNotPresent';
}

/** One replica by design: every outcome belongs to one pod. Runs under the `restricted` Pod Security Standard. */
export function deploymentManifest(spec: WorkloadSpec, names: WorkloadNames, image: ProbeImage): V1Deployment {
  const labels = labelsOf(names);
  return {
    metadata: metadataOf(names.object, names),
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: spec.gracePeriodSeconds,
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          securityContext: unprivileged.pod,
          containers: [
            {
              name: probeContainer,
              image: image.probeImage,
              imagePullPolicy: image.imagePullPolicy,
              args: ['--behavior', spec.behavior, '--drain-seconds', `${spec.drainSeconds}`],
              env: [{ name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
              ports: [
                { name: 'tcp', containerPort: flowPort, protocol: 'TCP' },
                { name: 'udp', containerPort: flowPort, protocol: 'UDP' },
                { name: 'http', containerPort: httpPort, protocol: 'TCP' },
              ],
              readinessProbe: {
                httpGet: { path: '/readyz', port: httpPort },
                periodSeconds: 1,
                failureThreshold: 1,
              },
              // no limits: a throttled probe would stamp late
              resources: { requests: { cpu: '50m', memory: '128Mi' } },
              securityContext: unprivileged.container,
            },
          ],
        },
      },
    },
  };
}

/** TCP and UDP share the port, so the API server gives both the same node port where none is asked for. */
export function serviceManifest(names: WorkloadNames, nodePort: number | undefined): V1Service {
  const fixed = nodePort === undefined ? {} : { nodePort };
  return {
    metadata: metadataOf(names.object, names),
    spec: {
      type: 'NodePort',
      selector: labelsOf(names),
      ports: [
        { name: 'tcp', port: flowPort, targetPort: flowPort, protocol: 'TCP', ...fixed },
        { name: 'udp', port: flowPort, targetPort: flowPort, protocol: 'UDP', ...fixed },
      ],
    },
  };
}

/** Carries no delete options, so the pod's own grace period holds (policy/v1). */
export const evictionManifest = (namespace: string, name: string): V1Eviction => ({
  apiVersion: 'policy/v1',
  kind: 'Eviction',
  metadata: { namespace, name },
});
