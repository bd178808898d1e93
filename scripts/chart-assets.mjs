// What charts need besides JavaScript: fonts, and the native canvas for each platform that the Action runs on.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** Kept from build to build: compressing takes minutes, and the repository should get it anew with a new version only. */
export const keptFolder = 'native';

const platforms = { 'linux-x64': '@napi-rs/canvas-linux-x64-gnu', 'linux-arm64': '@napi-rs/canvas-linux-arm64-gnu' };
const fonts = ['ttf/DejaVuSans.ttf', 'ttf/DejaVuSans-Bold.ttf'];

/**
 * An esbuild plugin. The renderer becomes a file of its own, loaded when the first chart is drawn; the native library is
 * the one that `src/rendering` unpacked; and what is required by a computed name is required by a literal one.
 */
export const chartPlugin = {
  name: 'charts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/canvas-renderer\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './charts.js', external: true } : undefined,
    );
    onLoad({ filter: /[\\/]@napi-rs[\\/]canvas[\\/]js-binding\.js$/ }, () => ({
      loader: 'js',
      contents: 'module.exports = require(process.env.NAPI_RS_NATIVE_LIBRARY_PATH);',
    }));
    onLoad({ filter: /[\\/]chartjs-node-canvas[\\/]dist[\\/]chartJSNodeCanvasBase\.js$/ }, ({ path }) => ({
      loader: 'js',
      contents: replaceOnce(
        readFileSync(path, 'utf8'),
        "(0, freshRequire_1.freshRequire)('canvas')",
        "require('canvas')",
      ),
    }));
  },
};

function replaceOnce(text, from, to) {
  if (text.split(from).length !== 2) throw new Error(`chartjs-node-canvas no longer has ${from} once: look at it anew`);
  return text.replace(from, to);
}

/** Puts fonts and native libraries into `outdir`. Those of an earlier build are taken over where the lock file still names them. */
export function copyChartAssets(outdir) {
  mkdirSync(join(outdir, 'fonts'), { recursive: true });
  for (const font of fonts)
    copyFileSync(join('node_modules/dejavu-fonts-ttf', font), join(outdir, 'fonts', font.slice(4)));
  copyFileSync('node_modules/dejavu-fonts-ttf/LICENSE', join(outdir, 'fonts', 'LICENSE'));

  const target = join(outdir, keptFolder);
  mkdirSync(target, { recursive: true });
  const wanted = Object.entries(platforms).map(([platform, name]) => ({ platform, ...locked(name) }));
  const libraries = {};
  for (const library of wanted) {
    const source = [target, join('dist', keptFolder)].find((folder) => holds(folder, library));
    libraries[library.platform] =
      source === undefined ? fetchLibrary(library, target) : takeOver(source, library, target);
  }
  const kept = new Set(['manifest.json', ...Object.values(libraries).map(({ file }) => file)]);
  for (const file of readdirSync(target)) if (!kept.has(file)) rmSync(join(target, file), { recursive: true });
  writeFileSync(join(target, 'manifest.json'), `${JSON.stringify({ libraries }, null, 2)}\n`);
}

/** The lock file pins every platform's package, also those that are not installed here. */
function locked(name) {
  const entry = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages[`node_modules/${name}`];
  if (entry === undefined) throw new Error(`package-lock.json has no ${name}`);
  return { package: name, version: entry.version, integrity: entry.integrity };
}

const entryOf = (folder, { platform }) => {
  const manifest = join(folder, 'manifest.json');
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).libraries[platform] : undefined;
};

/** Whether the folder has that very library, whole: the compressed file and what it decompresses to. */
function holds(folder, library) {
  const entry = entryOf(folder, library);
  if (entry === undefined || entry.integrity !== library.integrity || entry.version !== library.version) return false;
  const path = join(folder, entry.file);
  if (!existsSync(path)) return false;
  const compressed = readFileSync(path);
  return (
    sha('sha256', compressed) === entry.compressedSha256 &&
    sha('sha256', brotliDecompressSync(compressed)) === entry.sha256
  );
}

function takeOver(source, library, target) {
  const entry = entryOf(source, library);
  if (source !== target) copyFileSync(join(source, entry.file), join(target, entry.file));
  return entry;
}

/** From the package registry, by the lock file's checksum: `npm ci` leaves out the packages of other platforms. */
export function fetchLibrary(library, target) {
  const work = mkdtempSync(join(tmpdir(), 'drainwatch-native-'));
  try {
    const content = extractLibrary(library, work);
    const compressed = brotliCompressSync(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    });
    const file = `${library.platform}.node.br`;
    writeFileSync(join(target, file), compressed);
    return {
      file,
      package: library.package,
      version: library.version,
      integrity: library.integrity,
      compressedSha256: sha('sha256', compressed),
      bytes: content.length,
      sha256: sha('sha256', content),
    };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The library out of the package's archive, whose checksum is the lock file's. */
function extractLibrary({ package: name, version, integrity }, work) {
  const specifier = `${name}@${version}`;
  console.error(`fetching ${specifier}`);
  execFileSync('npm', ['pack', specifier, '--pack-destination', work, '--prefer-offline', '--silent'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [archive] = readdirSync(work);
  const found = `sha512-${createHash('sha512')
    .update(readFileSync(join(work, archive)))
    .digest('base64')}`;
  if (found !== integrity) throw new Error(`${specifier} is ${found}, package-lock.json has ${integrity}`);
  execFileSync('tar', ['-xzf', join(work, archive), '-C', work]);
  const [library, ...others] = readdirSync(join(work, 'package')).filter((file) => file.endsWith('.node'));
  if (library === undefined || others.length > 0) throw new Error(`${specifier} does not hold one native library`);
  return readFileSync(join(work, 'package', library));
}

const sha = (algorithm, content) => createHash(algorithm).update(content).digest('hex');
