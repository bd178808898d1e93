import { inspect } from 'node:util';
import { z } from 'zod';
import { describeError, inputError } from '../domain/errors.ts';
import { printable, shown } from '../domain/printable.ts';

/** A document to be parsed: where it is, and what a reader can do about it. */
export interface Source {
  readonly path: string;
  readonly remedy: string;
}

/**
 * @throws {ActionableError} of kind `input`: one line that names the file, the field, what was found and what belongs there.
 */
export function parseJson<T>(schema: z.ZodType<T>, text: string, source: Source): T {
  return parseValue(schema, jsonValue(text, source), source);
}

/** @throws {ActionableError} of kind `input` for text that is no JSON. */
export function jsonValue(text: string, { path, remedy }: Source): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const found = `${path} is not JSON: ${printable(describeError(error))}`;
    throw inputError({ expected: 'one JSON document', found, remedy }, error);
  }
}

/** @throws {ActionableError} of kind `input`, as `parseJson`. */
export function parseValue<T>(schema: z.ZodType<T>, value: unknown, source: Source): T {
  const result = schema.safeParse(value, { error: expectationOf, reportInput: true });
  if (result.success) return result.data;
  const [first, ...more] = result.error.issues;
  if (first === undefined) throw result.error;
  throw inputError(factsOf(first, more.length, schema, source), result.error);
}

function factsOf(issue: z.core.$ZodIssue, more: number, schema: z.ZodType, { path, remedy }: Source) {
  const others = more === 0 ? '' : ` (and ${more} more)`;
  const field = fieldName(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => `"${printable(key)}"`).join(', ');
    const allowed = allowedKeys(schema, issue.path).join(', ');
    const where = field === '' ? '' : ` in ${field}`;
    return {
      expected: `only the fields ${allowed}${where}`,
      found: `${path}: unknown field ${names}${where}${others}`,
      remedy,
    };
  }
  const found = issue.input === undefined ? 'is missing' : `is ${shownValue(issue.input)}`;
  return {
    expected: issue.message,
    found: `${path}: ${field === '' ? 'the document' : field} ${found}${others}`,
    remedy,
  };
}

const fieldName = (path: readonly PropertyKey[]): string =>
  printable(path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')).replace(/^\./, '');

/** Enough of a value to recognise it by. */
const shownValue = (value: unknown): string =>
  shown(inspect(value, { depth: 1, breakLength: Infinity, maxStringLength: 60, maxArrayLength: 5 }));

/** What belongs in a field's place, for issues whose schema does not word it itself. */
function expectationOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return /^[aeiou]/.test(issue.expected) ? `an ${issue.expected}` : `a ${issue.expected}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? printable(JSON.stringify(issue.values[0]))
        : `one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_union':
      return issue.discriminator === undefined ? undefined : `a known ${issue.discriminator}`;
    default:
      return undefined;
  }
}

/** The part of a JSON Schema that leads to an object's fields. */
const fieldsSchema = z.object({
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  additionalProperties: z.unknown().optional(),
});

function allowedKeys(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let node: unknown = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' });
  for (const key of path) {
    const fields = fieldsSchema.safeParse(node).data;
    node =
      typeof key === 'number' ? fields?.items : (fields?.properties?.[String(key)] ?? fields?.additionalProperties);
  }
  return Object.keys(fieldsSchema.safeParse(node).data?.properties ?? {});
}
