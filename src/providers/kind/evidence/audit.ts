import { stringify } from 'yaml';

/** Where the control plane's node has the policy, mounted, and the log; the API server's container sees the same paths. */
const policyFolder = '/etc/drainwatch';
const policyName = 'audit-policy.yaml';
const logFolder = '/var/log/drainwatch-audit';
export const auditLogPath = `${logFolder}/audit.log`;

/**
 * What is logged (audit.k8s.io/v1): writes that say what became of a pod and of its endpoint, with what was written.
 * Leases, events and all reads are left out; they are the most of what an API server does.
 */
export const auditPolicy: string = stringify({
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  omitManagedFields: true,
  rules: [
    { level: 'None', namespaces: ['kube-system'] },
    {
      level: 'RequestResponse',
      verbs: ['create', 'update', 'patch', 'delete', 'deletecollection'],
      resources: [
        { group: '', resources: ['pods', 'pods/status', 'pods/eviction'] },
        { group: 'discovery.k8s.io', resources: ['endpointslices'] },
        { group: 'apps', resources: ['deployments/scale'] },
      ],
    },
    { level: 'None' },
  ],
});

/** A mount of kind's configuration that gives a control plane its policy. `folder` holds it on this machine. */
export const auditMount = (folder: string) => ({ hostPath: folder, containerPath: policyFolder, readOnly: true });

/** The policy's name in that folder. */
export const auditPolicyFile = policyName;

/** Blocking: an event is on disk before its request is answered, so that none of what was seen happen is still to come. */
const flags = {
  'audit-policy-file': `${policyFolder}/${policyName}`,
  'audit-log-path': auditLogPath,
  'audit-log-mode': 'blocking',
};

const volume = (name: string, path: string, options: { readonly readOnly: boolean; readonly pathType: string }) => ({
  name,
  hostPath: path,
  mountPath: path,
  ...options,
});

const apiServerWith = (extraArgs: unknown) => ({
  extraArgs,
  extraVolumes: [
    volume('drainwatch-audit-policy', policyFolder, { readOnly: true, pathType: 'Directory' }),
    volume('drainwatch-audit-log', logFolder, { readOnly: false, pathType: 'DirectoryOrCreate' }),
  ],
});

const patch = (version: string, extraArgs: unknown) =>
  stringify({
    apiVersion: `kubeadm.k8s.io/${version}`,
    kind: 'ClusterConfiguration',
    apiServer: apiServerWith(extraArgs),
  });

/**
 * Patches of kind's kubeadm configuration. kind applies a patch to documents of its own version only, and leaves the
 * others out: which of the two that is depends on its release and on the Kubernetes version. From v1beta4 on, arguments
 * are a list (kubeadm-config.v1beta4).
 */
export const auditPatches: readonly string[] = [
  patch('v1beta3', flags),
  patch(
    'v1beta4',
    Object.entries(flags).map(([name, value]) => ({ name, value })),
  ),
];
