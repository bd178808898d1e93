// Writes the tables of docs/inputs-outputs.md from action.yml, report/action.yml and the reusable workflow; with --check
// it only tells whether they are what those say.
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';

const page = 'docs/inputs-outputs.md';
const read = (path) => parse(readFileSync(path, 'utf8'));

/** One line that stays within its cell. */
const cell = (text) => String(text).replaceAll(/\s+/g, ' ').trim().replaceAll('|', '\\|');
const row = (...cells) => `| ${cells.join(' | ')} |`;
const table = (heading, rows) => [row(...heading), row(...heading.map(() => '---')), ...rows].join('\n');

const shownDefault = (value) => (value === undefined || value === '' ? '' : `\`${cell(value)}\``);
const inputTable = (inputs) =>
  table(
    ['input', 'what it says', 'default'],
    Object.entries(inputs).map(([name, { description, default: value }]) =>
      row(`\`${name}\``, cell(description), shownDefault(value)),
    ),
  );
const outputTable = (outputs) =>
  table(
    ['output', 'what it holds'],
    Object.entries(outputs).map(([name, { description }]) => row(`\`${name}\``, cell(description))),
  );

const action = read('action.yml');
const report = read('report/action.yml');
const { inputs, outputs } = read('.github/workflows/matrix.yml').on.workflow_call;
const blocks = {
  'inputs of the Action': inputTable(action.inputs),
  'outputs of the Action': outputTable(action.outputs),
  'inputs of report': inputTable(report.inputs),
  'outputs of report': outputTable(report.outputs),
  'inputs of the reusable workflow': inputTable(inputs),
  'outputs of the reusable workflow': outputTable(outputs),
};

const before = readFileSync(page, 'utf8');
const unused = new Set(Object.keys(blocks));
const after = before.replaceAll(/(<!-- block: (.+?) -->\n)[\s\S]*?(<!-- end -->)/g, (_, head, name, end) => {
  if (blocks[name] === undefined) throw new Error(`${page}: there is no block "${name}"`);
  unused.delete(name);
  return `${head}${blocks[name]}\n${end}`;
});
if (unused.size > 0) throw new Error(`${page} has no place for ${[...unused].join(', ')}`);
if (process.argv.includes('--check')) {
  if (after !== before) {
    console.error(`${page} is stale: run \`node scripts/docs-from-action.mjs\` and commit it`);
    process.exitCode = 1;
  }
} else writeFileSync(page, after);
