import { Option, type Command } from 'commander';
import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describeError, inputError } from '../domain/errors.ts';
import { clusterReuses, type ClusterReuse, type Matrix } from '../domain/matrix.ts';
import { parseMatrix, parseMatrixValue } from '../report/matrix-file.ts';
import type { BundledFiles } from './bundled-files.ts';
import { decimalNumber, list, wholeNumber } from './number-options.ts';

/** The matrices that come with the tool, by name. */
export const builtInMatrices = ['standard', 'quick', 'local', 'demo'] as const;

export interface MatrixOptions {
  readonly matrix?: string;
  readonly scenarios?: readonly string[];
  readonly proxyModes?: readonly string[];
  readonly kubernetesVersions?: readonly string[];
  readonly repeats?: number;
  readonly gracePeriod?: number;
  readonly tcpFlows?: number;
  readonly udpFlows?: number;
  readonly settle?: number;
  readonly trailing?: number;
  readonly clusterReuse?: ClusterReuse;
}

export const addMatrixOptions = (command: Command): Command =>
  command
    .option(
      '-m, --matrix <name|file>',
      `${builtInMatrices.join(', ')}, or a YAML or JSON file (default: standard; local on provider local)`,
    )
    .option('--scenarios <names>', 'instead of the matrix’s own, separated by commas', list)
    .option('--proxy-modes <names>', 'instead of the matrix’s own: iptables, nftables, ipvs', list)
    .option('--kubernetes-versions <versions>', 'as v1.34.0; each needs a node image', list)
    .option('--repeats <n>', 'trials an arm', wholeNumber(1, 1000))
    .option('--grace-period <seconds>', 'terminationGracePeriodSeconds', wholeNumber(1, 3600))
    .option('--tcp-flows <n>', 'TCP flows a trial', wholeNumber(0, 5000))
    .option('--udp-flows <n>', 'UDP flows a trial', wholeNumber(0, 5000))
    .option('--settle <seconds>', 'calm between preflight and trigger', decimalNumber(0, 600))
    .option('--trailing <seconds>', 'watch after everything ended', decimalNumber(0, 120))
    .addOption(new Option('--cluster-reuse <when>', 'when clusters are made').choices(clusterReuses));

/** Reads the matrix and lays the command line's factors over it. */
export async function readMatrix(options: MatrixOptions, fallback: string, files: BundledFiles): Promise<Matrix> {
  const matrix = await loadMatrix(options.matrix ?? fallback, files);
  const { scenarios, proxyModes, kubernetesVersions, repeats, gracePeriod, settle, trailing, clusterReuse } = options;
  const flows = { tcp: options.tcpFlows ?? matrix.flows.tcp, udp: options.udpFlows ?? matrix.flows.udp };
  const merged = {
    ...matrix,
    flows,
    ...(scenarios === undefined ? {} : { scenarios }),
    ...(proxyModes === undefined ? {} : { proxyModes }),
    ...(kubernetesVersions === undefined ? {} : { kubernetesVersions }),
    ...(repeats === undefined ? {} : { repeats }),
    ...(gracePeriod === undefined ? {} : { gracePeriodSeconds: gracePeriod }),
    ...(settle === undefined ? {} : { settleSeconds: settle }),
    ...(trailing === undefined ? {} : { trailingSeconds: trailing }),
    ...(clusterReuse === undefined ? {} : { clusterReuse }),
  };
  return parseMatrixValue(merged, { path: 'the matrix with these options', remedy: 'correct the options' });
}

async function loadMatrix(name: string, files: BundledFiles): Promise<Matrix> {
  const isBuiltIn = builtInMatrices.some((known) => known === name);
  const path = isBuiltIn ? join(files.matrices, `${name}.yaml`) : name;
  if (!isBuiltIn && !existsSync(path)) {
    throw inputError({
      expected: `a matrix is one of ${builtInMatrices.join(', ')}, or a file`,
      found: `no matrix and no file is named ${name}`,
      remedy: 'use one of the names, or give the path of a matrix file',
    });
  }
  return parseMatrix(await readText(path), path);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw inputError(
      { expected: 'a matrix file that can be read', found: describeError(error), remedy: 'give another path' },
      error,
    );
  }
}
