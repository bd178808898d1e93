import type { Command } from 'commander';
import { wholeNumber } from './number-options.ts';

/** Adds the options that make assembly's RunOptions. */
export const addProviderOptions = (command: Command): Command =>
  command
    .option(
      '-p, --provider <name>',
      'auto, kind, kubeconfig or local; auto is kind where Docker answers, else local',
      'auto',
    )
    .option(
      '--node-image <images>',
      'kind: node image, as kindest/node:v1.34.0; {version} stands for the Kubernetes version; with others for single modes, as IMAGE,cilium=IMAGE',
    )
    .option('--cilium-manifest <file>', 'kind: what installs Cilium, instead of its Helm chart; nodes have its images')
    .option('--kind-path <file>', 'kind: the kind program to use')
    .option('--workers <n>', 'kind: worker nodes', wholeNumber(1, 20), 1)
    .option('--kubeconfig <file>', 'kubeconfig: the file (default: $KUBECONFIG, ~/.kube/config)')
    .option('--context <name>', 'kubeconfig: the context')
    .option('--namespace <name>', 'kubeconfig: an existing namespace to use instead of a fresh one a trial')
    .option('--probe-image <image>', 'kubeconfig: a probe image that the cluster’s nodes can get')
    .option('--node-address <ip>', 'kubeconfig: the address to dial instead of the node’s InternalIP')
    .option('--emulated', 'kubeconfig: its nodes are emulated in software: outcomes count, times do not')
    .option(
      '--port <n>',
      'local: the probe’s port; kind and kubeconfig: the NodePort (default: any free one)',
      wholeNumber(1, 65535),
    );
