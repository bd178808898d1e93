import type { Aggregate } from '../../domain/aggregate.ts';
import type { Environment, NodeRecord } from '../../domain/environment.ts';
import type { Measured } from '../../domain/measured.ts';
import { printable } from '../../domain/printable.ts';
import { dash } from '../format.ts';
import { clip, code, longestCell, paragraph, type Block, type Line } from './model.ts';

/** Everything outside the scenarios that may move a number. */
export function environmentOf({ environment }: Aggregate): readonly Block[] {
  if (environment.status === 'not-measured') {
    return paragraph([`Environment: ${dash} (${clip(printable(environment.reason), longestCell)})`]);
  }
  return [
    {
      kind: 'table',
      caption: 'Environment',
      captionRepeats: true,
      columns: ['what', 'value'],
      rows: rowsOf(environment.value),
    },
  ];
}

function rowsOf(environment: Environment): readonly (readonly Line[])[] {
  const { tool, client, nodes, sysctls } = environment;
  return [
    [
      ['drainwatch'],
      [`${short(tool.version)}, `, code(short(tool.commit)), ...(tool.dirty ? [' with uncommitted changes'] : [])],
    ],
    fact('provider', [environment.provider]),
    measuredFact('Kubernetes', environment.kubernetesVersion),
    measuredFact('proxy mode, as what runs reports it', environment.proxyMode),
    measuredFact('proxy minSyncPeriod', environment.proxyMinSyncPeriod),
    measuredFact('proxy syncPeriod', environment.proxySyncPeriod),
    measuredFact('CNI', environment.cni),
    ...(environment.emulated === true ? [fact('nodes', ['emulated in software: times are not representative'])] : []),
    ...nodes.slice(0, 10).map(nodeFact),
    ...(nodes.length > 10 ? [fact('further nodes', [`${nodes.length - 10}`])] : []),
    imageFact('node image', environment.nodeImage),
    imageFact('probe image', environment.probeImage),
    fact('path', [environment.path]),
    fact('client', [client.kernel, `Node.js ${client.node}`, `${client.cpus} CPUs`, client.architecture]),
    ...(sysctls.status === 'measured'
      ? Object.entries(sysctls.value)
          .slice(0, 40)
          .map(([name, value]): readonly Line[] => [[code(short(name))], [code(short(value))]])
      : [measuredFact('sysctls', sysctls)]),
  ];
}

const short = (text: string): string => clip(printable(text), longestCell);

const fact = (name: string, values: readonly string[]): readonly Line[] => [[name], [short(values.join(', '))]];

const measuredFact = (name: string, value: Measured<unknown>): readonly Line[] =>
  value.status === 'measured' ? fact(name, [String(value.value)]) : [[name], [`${dash} (${short(value.reason)})`]];

const imageFact = (name: string, image: Measured<string>): readonly Line[] =>
  image.status === 'measured' ? [[name], [code(short(image.value))]] : measuredFact(name, image);

const nodeFact = ({ name, role, kernel, osImage, containerRuntime, kubelet }: NodeRecord): readonly Line[] => [
  [`${role} `, code(short(name))],
  [short([`kubelet ${kubelet}`, containerRuntime, osImage, `kernel ${kernel}`].join(', '))],
];
