import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { describeError, inputError } from '../domain/errors.ts';
import type { Matrix } from '../domain/matrix.ts';
import { matrixFileSchema, matrixRules } from './matrix-schema.ts';
import { jsonValue, parseValue, type Source } from './parse.ts';
import { printable } from '../domain/printable.ts';

/**
 * Reads a matrix file: JSON where the path ends in `.json`, YAML 1.2 otherwise. Names of scenarios and proxy modes are
 * not looked up here: that takes the registries.
 *
 * @throws {ActionableError} of kind `input`, one line that names the file and the field.
 */
export function parseMatrix(text: string, path: string): Matrix {
  const source: Source = { path, remedy: `correct ${path}` };
  return parseMatrixValue(path.endsWith('.json') ? jsonValue(text, source) : yamlValue(text, source), source);
}

/** A matrix that is no file, as one that options were merged into. @throws as `parseMatrix`. */
export function parseMatrixValue(value: unknown, source: Source): Matrix {
  // where editors find the schema is no part of the experiment
  return z.object(matrixRules).parse(parseValue(matrixFileSchema, value, source));
}

/** The JSON Schema of matrix files (draft 2020-12), for editors. */
export const matrixJsonSchema = (): z.core.JSONSchema.BaseSchema => ({
  title: 'drainwatch matrix',
  ...z.toJSONSchema(matrixFileSchema, { io: 'input' }),
});

function yamlValue(text: string, { path, remedy }: Source): unknown {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error' });
  // what the parser only warns of, as an unknown tag, means something else than was written
  const [error] = [...document.errors, ...document.warnings];
  if (error !== undefined) {
    const { line, col } = lineCounter.linePos(error.pos[0]);
    const found = `${path}:${line}:${col} can't be read as YAML: ${error.code === 'MULTIPLE_DOCS' ? 'a second document starts here' : printable(error.message)}`;
    throw inputError({ expected: 'one YAML document', found, remedy }, error);
  }
  try {
    return document.toJS();
  } catch (error) {
    // aliases that multiply are only met here
    throw inputError(
      { expected: 'one YAML document', found: `${path}: ${printable(describeError(error))}`, remedy },
      error,
    );
  }
}
