import type { ProxyWork } from '../../../domain/evidence.ts';
import { type Measured, measured, notMeasured } from '../../../domain/measured.ts';
import { proxyWork } from '../../../timeline/evidence/proxy-work.ts';
import type { NodeFiles } from './node-files.ts';

export async function readKubeProxy(files: NodeFiles, node: string): Promise<Measured<ProxyWork>> {
  if ((await files.text('kube-proxy.missing')) !== undefined) return notMeasured(`node ${node} has no curl`);
  const before = (await files.text('kube-proxy-before.prom')) ?? '';
  const after = (await files.text('kube-proxy-after.prom')) ?? '';
  if (before === '' || after === '') {
    return notMeasured(`no kube-proxy tells its metrics at 127.0.0.1:10249 of node ${node}`);
  }
  const work = proxyWork(before, after);
  return work === undefined
    ? notMeasured(`the kube-proxy of node ${node} was started anew in the trial, or does not count its syncs`)
    : measured(work);
}
