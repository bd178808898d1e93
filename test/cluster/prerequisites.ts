import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The node image that all clusters of the tests are made of. */
export const nodeImage = process.env.TESTBED_NODE_IMAGE ?? 'testbed.local/node:v1.34.0';

/** Where kind is, if it is not on PATH. */
export const testbedBin = process.env.TESTBED_BIN ?? join(homedir(), '.cache', 'drainwatch-testbed', 'bin');

export const environment: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: `${process.env.PATH ?? ''}${delimiter}${testbedBin}`,
  TESTBED_BIN: testbedBin,
};

const succeeds = (file: string, ...args: readonly string[]) =>
  spawnSync(file, args, { env: environment, stdio: 'ignore' }).status === 0;

const checks = {
  docker: () => (succeeds('docker', 'version') ? undefined : 'Docker does not answer'),
  'node image': () =>
    succeeds('docker', 'image', 'inspect', nodeImage) ? undefined : `there is no image ${nodeImage}`,
  kind: () => (succeeds('kind', 'version') ? undefined : 'kind is neither on PATH nor in TESTBED_BIN'),
  'existing cluster': () =>
    process.env.DRAINWATCH_TEST_KUBECONFIG && process.env.DRAINWATCH_TEST_PROBE_IMAGE
      ? undefined
      : 'DRAINWATCH_TEST_KUBECONFIG and DRAINWATCH_TEST_PROBE_IMAGE name none',
};

/**
 * What these tests lack here, which is a reason to skip them; undefined where they lack nothing.
 * @throws {Error} where DRAINWATCH_TEST_CLUSTER is `required`: there a lack is a failure
 */
export function lackOf(...needs: readonly (keyof typeof checks)[]): string | undefined {
  for (const need of needs) {
    const lack = checks[need]();
    if (lack === undefined) continue;
    if (process.env.DRAINWATCH_TEST_CLUSTER === 'required') throw new Error(`cluster tests are required: ${lack}`);
    return lack;
  }
  return undefined;
}

/** A suite's title, with the reason where it is skipped. */
export const titled = (title: string, lack: string | undefined): string =>
  lack === undefined ? title : `${title} (skipped: ${lack})`;
