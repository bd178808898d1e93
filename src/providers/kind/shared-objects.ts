import { requirementError } from '../../domain/errors.ts';

/**
 * The files that a dynamically linked program needs, ELF interpreter included, from the output of ldd(1); none for a
 * static one. The paths are those that the loader will look for, links not resolved.
 * @throws {ActionableError} of kind `requirement` for a library that the loader does not find.
 */
export function sharedObjects(lddOutput: string): readonly string[] {
  const paths = new Set<string>();
  for (const line of lddOutput.split('\n')) {
    const missing = /^\s*(\S+) => not found/.exec(line)?.[1];
    if (missing !== undefined) {
      throw requirementError({
        expected: 'all shared objects of the Node binary are found',
        found: `${missing} is not`,
        remedy: 'repair the Node installation: `ldd` of its binary shows what is missing',
      });
    }
    // `name => /path (0x…)`, and `/path (0x…)` for the interpreter; linux-vdso has no file
    const path = /^\s*(?:\S+ => )?(\/\S+)(?: \(0x[\da-f]+\))?$/.exec(line)?.[1];
    if (path !== undefined) paths.add(path);
  }
  return [...paths];
}
