import { Option, type Command } from 'commander';
import { builtInMatrices } from '../assembly/matrix-factors.ts';
import { clusterReuses } from '../domain/matrix.ts';
import { decimalNumber, list, wholeNumber, wholeNumberOrAuto } from './number-options.ts';

export const newConnections = (): Option =>
  new Option(
    '--new-connections <ms>',
    'milliseconds between two new connections that are dialled all along; 0: none',
  ).argParser(wholeNumber(0, 1000));

export const addMatrixOptions = (command: Command): Command =>
  command
    .option(
      '-m, --matrix <name|file>',
      `${builtInMatrices.join(', ')}, or a YAML or JSON file (default: standard; local on provider local)`,
    )
    .option('--scenarios <names>', 'instead of the matrix’s own, separated by commas', list)
    .option('--proxy-modes <names>', 'instead of the matrix’s own: iptables, nftables, ipvs, cilium', list)
    .option('--kubernetes-versions <versions>', 'as v1.34.0; each needs a node image', list)
    .option('--repeats <n>', 'trials an arm', wholeNumber(1, 1000))
    .option('--grace-period <seconds>', 'terminationGracePeriodSeconds', wholeNumber(1, 3600))
    .option('--tcp-flows <n>', 'TCP flows a trial', wholeNumber(0, 5000))
    .option('--udp-flows <n>', 'UDP flows a trial', wholeNumber(0, 5000))
    .addOption(newConnections())
    .option('--evidence', 'look for what ended each flow: packets, connection tracking, rules, audit log (kind)')
    .option('--settle <seconds>', 'calm between preflight and trigger', decimalNumber(0, 600))
    .option('--trailing <seconds>', 'watch after everything ended', decimalNumber(0, 120))
    .addOption(new Option('--cluster-reuse <when>', 'when clusters are made').choices(clusterReuses))
    .option(
      '--concurrency <n>',
      'trials at once on a cluster, or auto: as many as were shown to move no number',
      wholeNumberOrAuto(1, 50),
    );
