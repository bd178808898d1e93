import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createRunFolder } from '../../src/report/store.ts';
import { busyReport, exampleAggregate } from '../unit/charts/example-input.ts';
import { pictureOf, type Picture } from './picture.ts';

/** A bundle of the sources as they are, alone, with a run beside it; dist:check holds that dist/ is the same. */
let folder: string;
const run = (args: readonly string[], prefix: readonly string[] = []) => {
  const [command = process.execPath, ...rest] = [...prefix, process.execPath, 'bundle/cli.js', ...args];
  return execa(command, rest, {
    cwd: folder,
    reject: false,
    stdin: 'ignore',
    env: { NO_COLOR: '1', TMPDIR: join(folder, 'tmp'), RUNNER_TEMP: join(folder, 'tmp') },
  });
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'drainwatch-charts-'));
  mkdirSync(join(folder, 'tmp'));
  cpSync('build/bundle', join(folder, 'bundle'), { recursive: true });
  const stored = await createRunFolder(join(folder, 'run'), {
    schemaVersion: 1,
    run: exampleAggregate.run,
    tool: { version: '0.1.0', commit: '1a2b3c4d5e6f', dirty: false },
    matrix: exampleAggregate.matrix,
    provider: 'kind',
    startedAt: exampleAggregate.startedAt,
    options: {},
  });
  for (const { arm } of exampleAggregate.arms) await stored.writeTrial(busyReport(1, arm.scenario));
  await stored.writeAggregate(exampleAggregate);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const names = ['outcomes', 'dead-endpoint-window', 'ends', 'control-plane', 'windows', 'timeline-drain.iptables'];
const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
const pictures = (output: string) =>
  Object.fromEntries(readdirSync(join(folder, output)).map((name) => [name, digest(join(folder, output, name))]));

describe('the bundle copied to an empty folder', () => {
  test('explains itself, with an example', async () => {
    expect((await run(['charts', '--help'])).stdout).toMatch(/Examples:\n {2}\$ drainwatch charts /);
  });

  test('draws every chart of a run for light and for dark pages, and prints the paths', async () => {
    const { exitCode, stdout, stderr } = await run(['charts', 'run', '-o', 'pictures']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const paths = stdout.split('\n');
    expect(paths).toEqual(expect.arrayContaining(names.map((name) => `pictures/${name}.light.png`)));
    expect(paths).toEqual(expect.arrayContaining(names.map((name) => `pictures/${name}.dark.png`)));
    expect(paths.toSorted()).toEqual(readdirSync(join(folder, 'pictures')).map((name) => `pictures/${name}`).toSorted());
  });

  test.each(names.flatMap((name) => [`${name}.light.png`, `${name}.dark.png`]))(
    'a picture has two pixels for each CSS pixel, its own background, and text: %s',
    async (name) => {
      const picture = await pictureOf(readFileSync(join(folder, 'pictures', name)));
      expect(picture.width).toBe(1680);
      expect(picture.height).toBeGreaterThan(400);
      const background = name.includes('dark') ? [13, 17, 23] : [255, 255, 255];
      const corners = [[0, 0], [picture.width - 1, 0], [0, picture.height - 1], [picture.width - 1, picture.height - 1]] as const;
      expect(corners.map(([x, y]) => picture.at(x, y))).toEqual(corners.map(() => background));
      expect(inkOf(picture)).toBeGreaterThan(1500);
    },
  );

  test('draws the same pictures again', async () => {
    expect((await run(['charts', 'run', '-o', 'again'])).exitCode).toBe(0);
    expect(pictures('again')).toEqual(pictures('pictures'));
  });

  test('draws into the folder of the run unless told otherwise', async () => {
    expect((await run(['charts', 'run'])).stdout).toContain('run/charts/ends.light.png');
    expect(pictures('run/charts')).toEqual(pictures('pictures'));
  });

  test('draws the same pictures where the system has no fonts', async (context) => {
    const namespace = await mountNamespace();
    if (namespace === undefined) return context.skip('this user may not make a mount namespace');
    const { exitCode, stderr } = await run(['charts', 'run', '-o', 'fontless'], [...namespace, '-c', hideFonts, '_']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(pictures('fontless')).toEqual(pictures('pictures'));
  });

  test('unpacks the native library once, for its user alone', () => {
    const unpacked = readdirSync(join(folder, 'tmp'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(unpacked.map(({ name }) => name)).toEqual(['canvas.node']);
    const [file] = unpacked;
    expect(statSync(join(file?.parentPath ?? '', file?.name ?? '')).mode & 0o077).toBe(0);
  });

  test('needs nothing of all that for anything else', async () => {
    const spare = join(folder, 'spare');
    cpSync(join(folder, 'bundle'), spare, { recursive: true, filter: (path) => !/(native|fonts|charts\.js)/.test(path) });
    const { exitCode } = await execa(process.execPath, [join(spare, 'cli.js'), 'report', join(folder, 'run')], { reject: false });
    expect(exitCode).toBe(0);
  });

  test('says what to do when what it ships is damaged', async () => {
    const damaged = join(folder, 'damaged');
    cpSync(join(folder, 'bundle'), damaged, { recursive: true });
    for (const name of readdirSync(join(damaged, 'native')).filter((file) => file.endsWith('.br'))) {
      writeFileSync(join(damaged, 'native', name), '');
    }
    const { exitCode, stderr } = await execa(process.execPath, [join(damaged, 'cli.js'), 'charts', join(folder, 'run')], {
      reject: false,
      env: { RUNNER_TEMP: mkdtempSync(join(folder, 'fresh-')) },
    });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^drainwatch: .*; expected: .*\.node\.br as it was built; restore the folder from the release$/);
  });

  test('draws nothing of a run without a complete arm, and says so', async () => {
    const aggregate = { ...exampleAggregate, arms: [] };
    const { manifest } = { manifest: JSON.parse(readFileSync(join(folder, 'run', 'run.json'), 'utf8')) as object };
    mkdirSync(join(folder, 'empty'));
    writeFileSync(join(folder, 'empty', 'run.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'empty', 'aggregate.json'), JSON.stringify(aggregate));
    const { exitCode, stdout, stderr } = await run(['charts', 'empty']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(stderr).toMatch(/no arm of this run is complete/);
  });
});

describe('what is committed for charts', () => {
  const manifest = z
    .object({ libraries: z.record(z.string(), z.object({ file: z.string(), package: z.string(), sha256: z.string() })) })
    .parse(JSON.parse(readFileSync('dist/native/manifest.json', 'utf8')));

  test('is for both kinds of runners', () => {
    expect(Object.keys(manifest.libraries)).toEqual(['linux-x64', 'linux-arm64']);
  });

  test('is what the package registry gave, where that package is installed here', () => {
    const installed = Object.values(manifest.libraries).flatMap(({ package: name, sha256 }) => {
      const home = join('node_modules', name);
      if (!existsSync(home)) return [];
      const [library = ''] = readdirSync(home).filter((file) => file.endsWith('.node'));
      return [{ sha256, found: digest(join(home, library)) }];
    });
    expect(installed.length).toBeGreaterThan(0);
    expect(installed.filter(({ sha256, found }) => sha256 !== found)).toEqual([]);
  });

  test('leaves dist/ under 30 MB', () => {
    const sizes = readdirSync('dist', { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(30_000_000);
  });
});

/** Pixels of the title's line that differ from the background: none where text is left out. */
function inkOf({ at, width }: Picture): number {
  const [red, green, blue] = at(0, 0);
  let ink = 0;
  for (let y = 30; y < 66; y++) {
    for (let x = 0; x < width; x++) {
      const [r, g, b] = at(x, y);
      if (Math.abs(r - red) + Math.abs(g - green) + Math.abs(b - blue) > 200) ink += 1;
    }
  }
  return ink;
}

/** Every place where fontconfig or Skia looks for fonts gets an empty file system. */
const hideFonts = `
  for folder in /usr/share/fonts /usr/local/share/fonts "$HOME/.fonts" "$HOME/.local/share/fonts" /etc/fonts /var/cache/fontconfig; do
    if [ -d "$folder" ]; then mount -t tmpfs none "$folder" || exit 99; fi
  done
  exec "$@"`;

/** How a shell in a mount namespace of its own is started here; undefined where it can't be. */
async function mountNamespace(): Promise<readonly string[] | undefined> {
  for (const flags of [['-m'], ['-r', '-m']]) {
    const command = ['unshare', ...flags, 'bash'];
    const { exitCode } = await execa('unshare', [...flags, 'mount', '-t', 'tmpfs', 'none', '/mnt'], { reject: false });
    if (exitCode === 0) return command;
  }
  return undefined;
}
