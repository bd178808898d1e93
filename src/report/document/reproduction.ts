import { stringify } from 'yaml';
import type { Aggregate } from '../../domain/aggregate.ts';
import type { Environment } from '../../domain/environment.ts';
import type { Matrix } from '../../domain/matrix.ts';
import { printable } from '../../domain/printable.ts';
import { clip, code, longestCell, type Block, type Line } from './model.ts';

const matrixFile = 'matrix.yaml';

/** What to run to have the same experiment again. */
export function reproduction({ environment, matrix }: Aggregate): readonly Block[] {
  const known = environment.status === 'measured' ? environment.value : undefined;
  const version: Line =
    known === undefined
      ? ['With the same version of drainwatch']
      : [`In a checkout of drainwatch ${short(known.tool.version)} at `, code(short(known.tool.commit))];
  const changed = known?.tool.dirty === true ? ' and its uncommitted changes' : '';
  return [
    { kind: 'paragraph', lines: [[...version, `${changed}, with the matrix below as `, code(matrixFile)]] },
    { kind: 'code', language: 'sh', text: commandOf(known) },
    { kind: 'code', language: 'yaml', text: matrixYaml(matrix) },
  ];
}

const short = (text: string): string => clip(printable(text), 60);

function commandOf(environment: Environment | undefined): string {
  const words = ['node', 'dist/cli.js', 'run', '--matrix', matrixFile];
  if (environment === undefined) return words.join(' ');
  words.push('--provider', environment.provider);
  const { nodeImage, nodes } = environment;
  if (environment.provider === 'kind') {
    // what follows the reference is the digest that was found under it
    const reference = nodeImage.status === 'measured' ? nodeImage.value.split(' ')[0] : undefined;
    if (reference !== undefined) words.push('--node-image', reference);
    words.push('--workers', `${nodes.filter(({ role }) => role === 'worker').length}`);
  }
  return words.map((word) => quoted(clip(printable(word), longestCell))).join(' ');
}

/** A word of a POSIX shell. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Acts in a terminal or reorders text; a line break is no part of a quoted scalar. */
const acting = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/** The matrix so that reading it gives the same one, whatever its texts hold. */
export function matrixYaml(matrix: Matrix): string {
  const plain = !acting.test([matrix.description, ...matrix.scenarios, ...matrix.proxyModes].join(''));
  const text = stringify(matrix, {
    lineWidth: 0,
    blockQuote: false,
    defaultStringType: plain ? 'PLAIN' : 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
  }).trimEnd();
  return plain ? text : text.replaceAll(new RegExp(acting.source, 'gu'), escaped);
}

/** In a double-quoted scalar (YAML 1.2.2, 5.7). */
function escaped(character: string): string {
  if (character === '\n') return character;
  const point = (character.codePointAt(0) ?? 0).toString(16);
  return point.length <= 4 ? `\\u${point.padStart(4, '0')}` : `\\U${point.padStart(8, '0')}`;
}
