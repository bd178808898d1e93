import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';

const pages = ['action', 'inputs-outputs', 'recipes', 'permissions', 'forks'].map((name) => `docs/${name}.md`);

test('the tables of inputs and outputs are what action.yml, report/action.yml and the workflow say', () => {
  expect(() =>
    execFileSync(process.execPath, ['scripts/docs-from-action.mjs', '--check'], { stdio: 'pipe' }),
  ).not.toThrow();
});

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');

test.each(pages)('links in %s lead to pages and headings that exist', (page) => {
  for (const [, target = ''] of readFileSync(page, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^https?:/.test(target)) continue;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : join(dirname(page), path);
    expect(existsSync(file), `${page} links to ${target}`).toBe(true);
    if (anchor === undefined) continue;
    const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      anchorOf(heading),
    );
    expect(headings, `${page} links to ${target}`).toContain(anchor);
  }
});

const actionInputs = z.object({ inputs: z.record(z.string(), z.unknown()) });
const inputsOf = (path: string) => Object.keys(actionInputs.parse(parse(readFileSync(path, 'utf8'))).inputs);
const known: Readonly<Record<string, readonly string[]>> = {
  '': inputsOf('action.yml'),
  '/report': inputsOf('report/action.yml'),
  '/.github/workflows/matrix.yml': Object.keys(
    z
      .object({ on: z.object({ workflow_call: actionInputs }) })
      .parse(parse(readFileSync('.github/workflows/matrix.yml', 'utf8'))).on.workflow_call.inputs,
  ),
};

/** Every `uses:` of this project in a YAML document, with its `with:`. */
function usesIn(value: unknown): readonly { readonly path: string; readonly inputs: readonly string[] }[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = z.object({ uses: z.string(), with: z.record(z.string(), z.unknown()).default({}) }).safeParse(value).data;
  const path = /^owner\/drainwatch-action(.*)@v1$/.exec(own?.uses ?? '')?.[1];
  return [
    ...(path === undefined || own === undefined ? [] : [{ path, inputs: Object.keys(own.with) }]),
    ...Object.values(value).flatMap(usesIn),
  ];
}

test.each(pages)('the YAML in %s is YAML, and uses inputs that exist', (page) => {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, text = '']) => text);
  for (const text of blocks) {
    for (const document of parseAllDocuments(text)) {
      expect(document.errors, text).toEqual([]);
      for (const { path, inputs } of usesIn(document.toJS())) {
        expect(known, `${page} uses ${path}`).toHaveProperty([path]);
        for (const input of inputs) expect(known[path], `${page}, ${path}`).toContain(input);
      }
    }
  }
});

const workflows = readdirSync('.github/workflows').map((name) => join('.github/workflows', name));
const steps = z.object({
  permissions: z.unknown(),
  jobs: z.record(
    z.string(),
    z.object({ permissions: z.record(z.string(), z.string()), steps: z.array(z.unknown()).default([]) }),
  ),
});

test.each(workflows)('%s grants nothing at its top, and each job what it needs', (path) => {
  const { permissions, jobs } = steps.parse(parse(readFileSync(path, 'utf8')));
  expect(permissions).toEqual({});
  expect(Object.values(jobs).length).toBeGreaterThan(0);
});

test.each([...workflows, 'docs/recipes.md'])(
  '%s pins what is of others by a full commit, with the version beside it',
  (path) => {
    const lines = readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => /^\s*(?:- )?uses: /.test(line));
    for (const line of lines) {
      if (/uses: (?:\$\/|owner\/drainwatch-action)/.test(line)) continue;
      expect(line).toMatch(/uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  },
);
