import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ActionableError } from '../../../src/domain/errors.ts';
import { matrixJsonSchema, parseMatrix } from '../../../src/report/matrix-file.ts';

const least = 'name: mine\ndescription: Mine.\nscenarios: [drain]\n';

/** The one line that a reader gets. */
function refusal(text: string, path = 'mine.yaml'): string {
  try {
    parseMatrix(text, path);
  } catch (error) {
    if (error instanceof ActionableError && error.kind === 'input') return error.message;
    throw error;
  }
  throw new Error('the matrix was accepted');
}

describe('a matrix file', () => {
  test('takes what it leaves out from the published run', () => {
    expect(parseMatrix(least, 'mine.yaml')).toEqual({
      name: 'mine',
      description: 'Mine.',
      scenarios: ['drain'],
      proxyModes: [],
      kubernetesVersions: [],
      repeats: 5,
      gracePeriodSeconds: 30,
      flows: { tcp: 10, udp: 10 },
      tcpHeartbeatMs: 500,
      udpIntervalMs: 15,
      newConnectionIntervalMs: 0,
      evidence: false,
      settleSeconds: 10,
      trailingSeconds: 3,
      clusterReuse: 'fresh-per-scenario',
      concurrency: 1,
    });
  });

  test('may be JSON, and name its schema', () => {
    const json = JSON.stringify({ $schema: './schema.json', name: 'mine', description: 'Mine.', scenarios: ['drain'] });
    expect(parseMatrix(json, 'mine.json')).toEqual(parseMatrix(least, 'mine.yaml'));
  });

  test('with an unknown field is refused with the field and the allowed ones', () => {
    expect(refusal(`${least}repeat: 3`)).toBe(
      'mine.yaml: unknown field "repeat"; expected: only the fields $schema, name, description, scenarios, proxyModes, ' +
        'kubernetesVersions, repeats, gracePeriodSeconds, flows, tcpHeartbeatMs, udpIntervalMs, ' +
        'newConnectionIntervalMs, evidence, settleSeconds, trailingSeconds, clusterReuse, concurrency; correct mine.yaml',
    );
  });

  test('with an unknown field inside another names both', () => {
    expect(refusal(`${least}flows: { tcp: 1, quic: 2 }`)).toBe(
      'mine.yaml: unknown field "quic" in flows; expected: only the fields tcp, udp in flows; correct mine.yaml',
    );
  });

  test.each([
    ['repeats: 0', 'repeats is 0; expected: a whole number from 1 to 1000'],
    ['repeats: 1.5', 'repeats is 1.5; expected: a whole number from 1 to 1000'],
    ['repeats: five', "repeats is 'five'; expected: a whole number from 1 to 1000"],
    ['repeats: 1001', 'repeats is 1001; expected: a whole number from 1 to 1000'],
    ['gracePeriodSeconds: 3601', 'gracePeriodSeconds is 3601; expected: a whole number from 1 to 3600'],
    ['udpIntervalMs: 1001', 'udpIntervalMs is 1001; expected: a whole number from 1 to 1000'],
    ['newConnectionIntervalMs: -1', 'newConnectionIntervalMs is -1; expected: a whole number from 0 to 1000'],
    ['settleSeconds: -1', 'settleSeconds is -1; expected: a number from 0 to 600'],
    ['trailingSeconds: 121', 'trailingSeconds is 121; expected: a number from 0 to 120'],
    ['flows: { tcp: 5001 }', 'flows.tcp is 5001; expected: a whole number from 0 to 5000'],
    ['flows: { tcp: 0, udp: 0 }', 'flows is { tcp: 0, udp: 0 }; expected: at least one flow, TCP or UDP'],
    ['clusterReuse: never', "clusterReuse is 'never'; expected: one of fresh-per-scenario, shared"],
    ['concurrency: 0', 'concurrency is 0; expected: a whole number from 1 to 50, or auto'],
    ['concurrency: all', "concurrency is 'all'; expected: a whole number from 1 to 50, or auto"],
    ['kubernetesVersions: [1.30]', 'kubernetesVersions[0] is 1.3; expected: a version such as v1.34.0, as text'],
    ['proxyModes: iptables', "proxyModes is 'iptables'; expected: a list of kube-proxy modes"],
  ])('with %s is refused with what was found and what belongs there', (line, message) => {
    expect(refusal(`${least}${line}`)).toContain(`mine.yaml: ${message}`);
  });

  test('without a scenario measures nothing and is refused', () => {
    expect(refusal('name: mine\ndescription: Mine.\nscenarios: []')).toContain(
      'scenarios is []; expected: at least one scenario',
    );
    expect(refusal('name: mine\ndescription: Mine.')).toContain(
      'scenarios is missing; expected: a list of scenario names',
    );
  });

  test('with several faults names the first and counts the others', () => {
    expect(refusal(`${least}repeats: 0\nsettleSeconds: -1`)).toMatch(/^mine\.yaml: repeats is 0 \(and 1 more\);/);
  });

  test.each([
    ['a: [b\nc: d', /^mine\.yaml:2:1 can't be read as YAML: /],
    [`${least}name: twice`, /^mine\.yaml:4:1 can't be read as YAML: Map keys must be unique/],
    ['a: 1\n---\nb: 2', /^mine\.yaml:2:1 can't be read as YAML: a second document starts here/],
    ['a: *missing', /^mine\.yaml: Unresolved alias/],
    ['', /^mine\.yaml: the document is null; expected: an object/],
    ['- drain', /^mine\.yaml: the document is \[ 'drain' \]; expected: an object/],
  ])('that reads %j is refused with the place', (text, message) => {
    expect(refusal(text)).toMatch(message);
  });

  test('whose aliases multiply is refused before it fills the memory', () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const inner = level === 0 ? 'x' : `*a${level - 1}`;
      return `a${level}: &a${level} [${Array.from({ length: 9 }, () => inner).join(', ')}]`;
    });
    expect(refusal(levels.join('\n'))).toMatch(/^mine\.yaml: Excessive alias count/);
  });

  test('that is no JSON is refused in one line', () => {
    expect(refusal('{"name":\n', 'mine.json')).toMatch(
      /^mine\.json is not JSON: .+; expected: one JSON document; correct mine\.json$/,
    );
  });

  test('can not make its error act on a terminal, nor fill a screen', () => {
    const hostile = refusal('name: "\\e[31m\\u202e\\n"\ndescription: x\nscenarios: [a]\n"\\e[2J": 1');
    expect(hostile).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(refusal(`${least}clusterReuse: ${'x'.repeat(10_000)}`).length).toBeLessThan(300);
  });
});

describe('the JSON Schema of matrix files', () => {
  const { properties, required } = matrixJsonSchema();

  test('describes every field', () => {
    for (const [name, field] of Object.entries(properties ?? {})) {
      expect(field, name).toMatchObject({ description: expect.stringMatching(/\.$/) as string });
    }
  });

  test('asks only for what has no default', () => {
    expect(required).toEqual(['name', 'description', 'scenarios']);
  });

  test('is the one that is published beside the matrices', () => {
    expect(JSON.parse(readFileSync('matrix/schema.json', 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(matrixJsonSchema())),
    );
  });
});

test.each(readdirSync('matrix').filter((name) => name.endsWith('.yaml')))(
  'matrix/%s keeps to the rules and bears its own name',
  (name) => {
    expect(`${parseMatrix(readFileSync(`matrix/${name}`, 'utf8'), name).name}.yaml`).toBe(name);
  },
);
