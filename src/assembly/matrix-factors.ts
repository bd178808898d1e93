import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describeError, inputError, isActionable } from '../domain/errors.ts';
import type { ClusterReuse, Concurrency, Matrix } from '../domain/matrix.ts';
import { shown } from '../domain/printable.ts';
import { parseMatrix, parseMatrixValue } from '../report/matrix-file.ts';
import type { BundledFiles } from './bundled-files.ts';

/** The matrices that come with the tool, by name. */
export const builtInMatrices = ['standard', 'quick', 'proxy-modes', 'local', 'demo'] as const;

/** A matrix by name or path, and what the caller lays over it. */
export interface MatrixFactors {
  readonly matrix?: string;
  readonly scenarios?: readonly string[];
  readonly proxyModes?: readonly string[];
  readonly kubernetesVersions?: readonly string[];
  readonly repeats?: number;
  /** Seconds, as are `settle` and `trailing`. */
  readonly gracePeriod?: number;
  readonly tcpFlows?: number;
  readonly udpFlows?: number;
  /** Milliseconds between two new connections; 0: none. */
  readonly newConnections?: number;
  readonly evidence?: boolean;
  readonly settle?: number;
  readonly trailing?: number;
  readonly clusterReuse?: ClusterReuse;
  readonly concurrency?: Concurrency;
}

/** Reads the matrix and lays the command line's factors over it. */
export async function readMatrix(options: MatrixFactors, fallback: string, files: BundledFiles): Promise<Matrix> {
  const matrix = await loadMatrix(options.matrix ?? fallback, files);
  const {
    scenarios,
    proxyModes,
    kubernetesVersions,
    repeats,
    gracePeriod,
    newConnections,
    evidence,
    settle,
    trailing,
    clusterReuse,
    concurrency,
  } = options;
  const flows = { tcp: options.tcpFlows ?? matrix.flows.tcp, udp: options.udpFlows ?? matrix.flows.udp };
  const merged = {
    ...matrix,
    flows,
    ...(scenarios === undefined ? {} : { scenarios }),
    ...(proxyModes === undefined ? {} : { proxyModes }),
    ...(kubernetesVersions === undefined ? {} : { kubernetesVersions }),
    ...(repeats === undefined ? {} : { repeats }),
    ...(gracePeriod === undefined ? {} : { gracePeriodSeconds: gracePeriod }),
    ...(newConnections === undefined ? {} : { newConnectionIntervalMs: newConnections }),
    ...(evidence === undefined ? {} : { evidence }),
    ...(settle === undefined ? {} : { settleSeconds: settle }),
    ...(trailing === undefined ? {} : { trailingSeconds: trailing }),
    ...(clusterReuse === undefined ? {} : { clusterReuse }),
    ...(concurrency === undefined ? {} : { concurrency }),
  };
  return parseMatrixValue(merged, { path: 'the matrix with these options', remedy: 'correct the options' });
}

async function loadMatrix(name: string, files: BundledFiles): Promise<Matrix> {
  const isBuiltIn = builtInMatrices.some((known) => known === name);
  const path = isBuiltIn ? join(files.matrices, `${name}.yaml`) : name;
  if (!isBuiltIn && !existsSync(path)) {
    throw inputError({
      expected: `a matrix is one of ${builtInMatrices.join(', ')}, or a file`,
      found: `no matrix and no file is named ${shown(name)}`,
      remedy: 'use one of the names, or give the path of a matrix file',
    });
  }
  return parseMatrix(await readText(path), path);
}

/** Far more than any matrix needs, in bytes. */
const largestMatrix = 1024 * 1024;

async function readText(path: string): Promise<string> {
  const expected = 'a matrix file that can be read';
  try {
    // a pipe or a device may never end, and a read of one can't be interrupted
    const { size, isFile } = await stat(path).then((found) => ({ size: found.size, isFile: found.isFile() }));
    if (isFile && size <= largestMatrix) return await readFile(path, 'utf8');
    const found = isFile ? `${path} of ${size} bytes` : `${path}, which is no regular file`;
    throw inputError({
      expected: `${expected}, of ${largestMatrix} bytes at most`,
      found,
      remedy: 'give another path',
    });
  } catch (error) {
    if (isActionable(error, 'input')) throw error;
    throw inputError({ expected, found: describeError(error), remedy: 'give another path' }, error);
  }
}
