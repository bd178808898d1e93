// Runs every check and counts what ran. Steps are counted as one each, tests by the test runner's own report.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const totals = { passed: 0, failed: 0, skipped: 0 };
const testReport = 'build/test-results.json';

/** Runs a command with its output shown; gives its status and the standard output where that is kept. */
function command(file, args, { env = {}, keep = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      stdio: ['ignore', keep ? 'pipe' : 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ status: 127, output: error.message }));
    child.on('close', (status) => resolve({ status: status ?? 1, output }));
  });
}

async function step(name, file, args, options) {
  const began = Date.now();
  console.log(`\n=== ${name}: ${file} ${args.join(' ')}`);
  const result = await command(file, args, options);
  const passed = result.status === 0;
  totals[passed ? 'passed' : 'failed'] += 1;
  console.log(
    `=== ${name}: ${passed ? 'passed' : `FAILED with ${result.status}`} after ${Math.round((Date.now() - began) / 1000)} s`,
  );
  return result;
}

function countTests() {
  if (!existsSync(testReport)) {
    console.log('=== the tests left no report');
    totals.failed += 1;
    return;
  }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numFailedTestSuites } = JSON.parse(
    readFileSync(testReport, 'utf8'),
  );
  totals.passed += numPassedTests;
  // a file that can't be loaded fails without a failed test
  totals.failed += Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0);
  totals.skipped += numPendingTests + numTodoTests;
  // a run of nothing shows nothing
  if (numPassedTests === 0) totals.failed += 1;
}

const began = Date.now();
rmSync('build', { recursive: true, force: true });

// the testbed compiles on a new machine: static checks go on beside it
const testbed = step('testbed', 'test/testbed/up.sh', [], { keep: true });
await step('install', 'npm', ['ci', '--no-fund', '--no-audit']);
await step('types', 'npm', ['run', '--silent', 'types']);
await step('lint', 'npm', ['run', '--silent', 'lint']);
await step('dist is fresh', 'npm', ['run', '--silent', 'dist:check']);

const factsOf = (output) =>
  Object.fromEntries(
    output
      .split('\n')
      .filter((line) => line.includes('='))
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  );

// a real blob emulator, and the Node.js of the Action; both come from npm and are kept between runs
const kept = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'drainwatch-ci');
const tools = await step('blob emulator and Node.js 24', 'sh', ['scripts/install-azurite.sh', kept], { keep: true });
const toolFacts = factsOf(tools.output);
if (toolFacts.NODE24 !== undefined) {
  await step('unit tests on Node.js 24', toolFacts.NODE24, [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'unit',
  ]);
  await step('demo on Node.js 24', toolFacts.NODE24, ['dist/cli.js', 'demo']);
}

// arm64's Node.js, emulated: where the emulator is not to be had, its tests are skipped with that reason
const arm64 = await command('sh', ['scripts/install-node-arm64.sh', kept], { keep: true });
if (arm64.status !== 0) console.log('\n=== no emulated Node.js for arm64: the tests of dist/ on arm64 will be skipped');

const { status, output } = await testbed;
const env = {
  ...toolFacts,
  ...factsOf(arm64.output),
  ...(status === 0 ? { ...factsOf(output), DRAINWATCH_TEST_CLUSTER: 'required' } : {}),
};
// the README's test command; with the testbed up it includes real kind clusters
await step('tests', 'npm', ['cit'], { env });
countTests();

console.log(`\n=== ${Math.round((Date.now() - began) / 60_000)} min`);
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = totals.failed === 0 ? 0 : 1;
