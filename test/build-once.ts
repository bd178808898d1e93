import { execFileSync } from 'node:child_process';

const done = 'DRAINWATCH_TEST_BUNDLE_BUILT';

/** Worker threads and the probe run as built files: tests use a build of the sources as they are, never dist/. */
export default function buildOnce(): void {
  // each project that needs it calls this, in one process
  if (process.env[done] !== undefined) return;
  execFileSync(process.execPath, ['scripts/build.mjs', 'build/bundle', 'build/metafiles.json'], { stdio: 'inherit' });
  process.env[done] = 'yes';
}
