// Fails when dist/ is not what the sources build: builds into a temporary folder and compares every file.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const digestsOf = (folder) =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path), createHash('sha256').update(readFileSync(path)).digest('hex')]),
  );

const fresh = mkdtempSync(join(tmpdir(), 'drainwatch-dist-'));
try {
  execFileSync(process.execPath, ['scripts/build.mjs', fresh], { stdio: 'inherit' });
  const built = digestsOf(fresh);
  const committed = existsSync('dist') ? digestsOf('dist') : new Map();
  const names = [...new Set([...built.keys(), ...committed.keys()])].sort();
  const stale = names.filter((name) => built.get(name) !== committed.get(name));
  for (const name of stale) {
    const how = !committed.has(name) ? 'is missing' : !built.has(name) ? 'is left over' : 'differs';
    console.error(`dist/${name} ${how}`);
  }
  if (stale.length > 0) {
    console.error('dist/ is stale: run `npm run build` and commit it');
    process.exitCode = 1;
  }
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
