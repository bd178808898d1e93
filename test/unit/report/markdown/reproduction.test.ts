import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matrixYaml } from '../../../../src/report/document/reproduction.ts';
import { parseMatrix } from '../../../../src/report/matrix-file.ts';
import { matrix } from '../example-reports.ts';
import { hostile } from '../hostile-texts.ts';

test('a matrix in a report is the matrix of the run, whatever its texts hold', () => {
  const wellFormed = hostile.filter((text) => !/\p{Cs}/u.test(text));
  fc.assert(
    fc.property(
      wellFormed,
      fc.array(
        wellFormed.filter((text) => text !== ''),
        { minLength: 1 },
      ),
      (description, scenarios) => {
        const value = { ...matrix, description, scenarios };
        expect(parseMatrix(matrixYaml(value), 'matrix.yaml')).toEqual(value);
      },
    ),
  );
});

test('no line of it acts in a terminal or begins a command', () => {
  fc.assert(
    fc.property(hostile, (description) => {
      for (const line of matrixYaml({ ...matrix, description }).split('\n')) {
        expect(line).not.toMatch(/^\s*::|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      }
    }),
  );
});

test('a plain matrix is written without quotes', () => {
  expect(matrixYaml(matrix)).toContain('description: The published experiment.\nscenarios:\n  - exit-now\n');
});
