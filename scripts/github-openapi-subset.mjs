// Extracts the operations that src/github uses from GitHub's published OpenAPI description:
//   npm pack @octokit/openapi@23.0.2 && tar xzf octokit-openapi-23.0.2.tgz     (anywhere outside this repository)
//   node scripts/github-openapi-subset.mjs package
// The package unpacks to 400 MB, so it is no dependency; the subset is committed, with its source's version in it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

const operationIds = new Set([
  'users/get-authenticated',
  'issues/list-comments',
  'issues/create-comment',
  'issues/update-comment',
  'issues/delete-comment',
  'checks/create',
  'checks/update',
  'checks/list-for-ref',
  'pulls/list',
  'repos/list-pull-requests-associated-with-commit',
  'actions/list-workflow-run-artifacts',
  'actions/download-artifact',
  'git/create-blob',
  'git/create-tree',
  'git/get-tree',
  'git/create-commit',
  'git/get-commit',
  'git/create-ref',
  'git/get-ref',
  'git/update-ref',
]);
/** Prose and vendor extensions: 60 % of the text, and nothing that a validator reads. */
const prose = new Set([
  'summary',
  'tags',
  'externalDocs',
  'x-github',
  'x-octokit',
  'x-multi-segment',
  'x-github-breaking-changes',
]);
const methods = ['get', 'post', 'patch', 'put', 'delete'];

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: node scripts/github-openapi-subset.mjs FOLDER-OF-@octokit/openapi');
const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const source = JSON.parse(readFileSync(join(folder, 'generated/api.github.com.json'), 'utf8'));

/** `parent` tells a schema's keyword from a property of that name, as in { properties: { description: … } }. */
const bare = (node, parent = '') => {
  if (Array.isArray(node)) return node.map((item) => bare(item, parent));
  if (typeof node !== 'object' || node === null) return node;
  const isMap = ['properties', 'examples', 'value', 'example'].includes(parent);
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => isMap || !(prose.has(key) || (key === 'description' && typeof value === 'string')))
      .map(([key, value]) => [
        key,
        bare(value, isMap && parent !== 'properties' && parent !== 'examples' ? parent : key),
      ]),
  );
};
const at = (pointer) =>
  pointer
    .slice(2)
    .split('/')
    .reduce((node, key) => node[key.replaceAll('~1', '/').replaceAll('~0', '~')], source);
const referencesIn = (node) =>
  typeof node !== 'object' || node === null
    ? []
    : Object.entries(node).flatMap(([key, value]) =>
        key === '$ref' && typeof value === 'string' ? [value] : referencesIn(value),
      );

const subset = {
  openapi: source.openapi,
  info: { title: source.info.title, version: source.info.version, license: source.info.license },
  'x-source': { package: name, version, file: 'generated/api.github.com.json', license: 'MIT' },
  paths: {},
  components: {},
};
const found = new Set();
for (const [path, item] of Object.entries(source.paths)) {
  for (const method of methods) {
    const operation = item[method];
    if (!operationIds.has(operation?.operationId)) continue;
    found.add(operation.operationId);
    (subset.paths[path] ??= {})[method] = bare(operation);
  }
}
const missing = [...operationIds].filter((id) => !found.has(id));
if (missing.length > 0) throw new Error(`not in ${name}@${version}: ${missing.join(', ')}`);

const pending = [...referencesIn(subset.paths), '#/components/schemas/basic-error'];
const seen = new Set();
for (let pointer = pending.pop(); pointer !== undefined; pointer = pending.pop()) {
  if (seen.has(pointer)) continue;
  seen.add(pointer);
  const [, , kind, key] = pointer.split('/');
  const part = bare(at(pointer), kind === 'examples' ? 'examples' : '');
  (subset.components[kind] ??= {})[key] = part;
  pending.push(...referencesIn(part));
}
for (const kind of Object.keys(subset.components)) {
  subset.components[kind] = Object.fromEntries(Object.entries(subset.components[kind]).sort());
}
const target = 'test/fixtures/github/openapi.json';
writeFileSync(target, await format(JSON.stringify(subset), { ...(await resolveConfig(target)), filepath: target }));
console.log(`${found.size} operations, ${seen.size} components of ${name}@${version}`);
