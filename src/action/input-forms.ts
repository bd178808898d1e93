import { z } from 'zod';

/**
 * The forms that inputs come in: texts, as the runner gives them. Messages say what is allowed and complete the sentence
 * "input `repeats` is …".
 */

/** A number in plain decimals. */
function numberWithin(min: number, max: number, { whole }: { readonly whole: boolean }) {
  const allowed = `a ${whole ? 'whole ' : ''}number from ${min} to ${max}`;
  return z
    .string()
    .regex(whole ? /^\d{1,9}$/ : /^\d{1,9}(\.\d{1,6})?$/, allowed)
    .transform(Number)
    .refine((value) => value >= min && value <= max, allowed);
}

export const wholeNumber = (min: number, max: number) => numberWithin(min, max, { whole: true });
export const decimalNumber = (min: number, max: number) => numberWithin(min, max, { whole: false });

export const wholeNumberOrAuto = (min: number, max: number) =>
  z.union([z.literal('auto'), wholeNumber(min, max)], `auto, or a whole number from ${min} to ${max}`);

export const oneOf = <const T extends readonly [string, ...string[]]>(names: T) =>
  z.enum(names, `one of ${names.join(', ')}`);

export const yesOrNo = oneOf(['true', 'false']).transform((text) => text === 'true');

/** One line without control characters, which no name, path or login has. */
export const line = (longest = 1000) =>
  z
    .string()
    .max(longest, `at most ${longest} characters`)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]+$/u, `one line of 1 to ${longest} characters`);

const names = 'names separated by commas or line breaks, each once';

/** `a, b` or a name a line. */
export const nameList = z
  .string()
  .transform((text) =>
    text
      .split(/[,\n]/)
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  )
  .pipe(
    z
      .array(z.string().regex(/^[\w.-]{1,100}$/, names))
      .min(1, names)
      .refine((list) => new Set(list).size === list.length, names),
  );

/** A branch that git takes (git-check-ref-format), of harmless characters only. */
export const branchName = z
  .string()
  .regex(
    /^(?![-/.])(?!.*(?:\.\.|\/\/|\/\.|\.lock(?:\/|$)))[\w./-]{1,200}(?<![./])$/,
    'a branch name of letters, digits, dots, hyphens, underscores and slashes',
  );

/** What the artifact service and every file system take, with room for a suffix. */
export const artifactStem = z
  .string()
  .regex(
    /^drainwatch-[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
    '`drainwatch-` and at most 100 letters, digits, dots, hyphens and underscores',
  );
