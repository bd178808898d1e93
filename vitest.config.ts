import { defineConfig } from 'vitest/config';

/** Suites that open sockets or start processes run one file and one suite at a time, so that their orders and ratios hold. */
const serial = {
  fileParallelism: false,
  testTimeout: 60_000,
  hookTimeout: 120_000,
  globalSetup: ['test/build-once.ts'],
};

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        // ends what hangs; how fast a machine is, or how busy, is no proposition of a unit test
        test: { name: 'unit', include: ['test/unit/**/*.test.ts'], testTimeout: 60_000 },
      },
      {
        extends: true,
        test: { name: 'loopback', include: ['test/loopback/**/*.test.ts'], ...serial, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: { name: 'action', include: ['test/action/**/*.test.ts'], ...serial, sequence: { groupOrder: 2 } },
      },
      {
        extends: true,
        test: { name: 'dist', include: ['test/dist/**/*.test.ts'], ...serial, sequence: { groupOrder: 3 } },
      },
      {
        extends: true,
        test: {
          name: 'cluster',
          include: ['test/cluster/**/*.test.ts'],
          ...serial,
          testTimeout: 600_000,
          sequence: { groupOrder: 4 },
          globalSetup: [...serial.globalSetup, 'test/cluster/existing-cluster.ts'],
        },
      },
    ],
  },
});
