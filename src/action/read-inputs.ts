import type { z } from 'zod';
import { inputError } from '../domain/errors.ts';
import { printable } from '../domain/printable.ts';

/** The text of an input; empty when it is not set. */
export type InputSource = (name: string) => string;

/** Inputs as an object; `gracePeriod` is `grace-period` in action.yml. */
export interface InputForm<Inputs> {
  readonly shape: Readonly<Record<string, unknown>>;
  safeParse(value: unknown): z.ZodSafeParseResult<Inputs>;
}

/** Inputs whose value is a secret: an error does not repeat it. */
const secrets: ReadonlySet<string> = new Set(['github-token', 'kubeconfig']);

export const inputNameOf = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * Reads and checks all inputs at once: a workflow takes minutes to be tried again. An empty input is one that was not
 * given, as an expression in a workflow leaves it.
 *
 * @throws {ActionableError} of kind `input` that names every wrong input, what it is and what is allowed.
 */
export function readInputs<First, Second>(
  forms: readonly [InputForm<First>, InputForm<Second>],
  source: InputSource,
): readonly [First, Second] {
  const first = forms[0].safeParse(textsOf(forms[0], source));
  const second = forms[1].safeParse(textsOf(forms[1], source));
  if (first.success && second.success) return [first.data, second.data];
  throw refusal([first.error, second.error], source);
}

const textsOf = ({ shape }: InputForm<unknown>, source: InputSource) =>
  Object.fromEntries(
    Object.keys(shape)
      .map((key) => [key, source(inputNameOf(key))] as const)
      .filter(([, text]) => text !== ''),
  );

function refusal(errors: readonly (z.ZodError | undefined)[], source: InputSource) {
  const allowed = new Map<string, string>();
  for (const { path, message } of errors.flatMap((error) => error?.issues ?? [])) {
    const name = inputNameOf(String(path[0]));
    // later complaints of the same input follow from the first
    if (!allowed.has(name)) allowed.set(name, message);
  }
  return inputError({
    expected: [...allowed].map(([name, message]) => `input \`${name}\` is ${message}`).join('; '),
    found: [...allowed.keys()].map((name) => `input \`${name}\` is ${shown(name, source(name))}`).join('; '),
    remedy: 'correct it in the `with:` of the step',
  });
}

function shown(name: string, text: string): string {
  if (secrets.has(name)) return 'another text, which is not shown';
  const quoted = JSON.stringify(printable(text));
  return quoted.length > 80 ? `${quoted.slice(0, 79)}…"` : quoted;
}
