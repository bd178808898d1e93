import { execFileSync } from 'node:child_process';

/** Worker threads and the probe run as built files: tests use a build of the sources as they are, never dist/. */
export default function buildOnce(): void {
  execFileSync(process.execPath, ['scripts/build.mjs', 'build/bundle'], { stdio: 'inherit' });
}
