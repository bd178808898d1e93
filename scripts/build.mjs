// Bundles the entries of src/ and probe/: `node scripts/build.mjs [DIRECTORY [METAFILES]]`, dist/ by default. METAFILES is a
// file for esbuild's account of what went into the bundles.
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { chartPlugin, copyChartAssets, keptFolder } from './chart-assets.mjs';
import { thirdPartyLicenses } from './third-party-licenses.mjs';

const [outdir = 'dist', metafilesPath] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

for (const name of existsSync(outdir) ? readdirSync(outdir) : []) {
  if (name !== keptFolder) rmSync(join(outdir, name), { recursive: true });
}

// CommonJS parts of the bundle call require and read __filename, which an ES module lacks.
const banner = [
  "import{createRequire as __createRequire}from'node:module';",
  "import{fileURLToPath as __fileURLToPath}from'node:url';",
  'const require=__createRequire(import.meta.url),',
  '__bundleFile=__fileURLToPath(import.meta.url),',
  "__bundleDirectory=__fileURLToPath(new URL('.',import.meta.url));",
].join('');

// The Action's entries are a few lines each and load one bundle.
const actionPlugin = {
  name: 'action',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/entry\.ts$/ }, () => ({ path: './action.js', external: true }));
  },
};

const options = {
  outdir,
  bundle: true,
  metafile: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  minify: true,
  keepNames: true,
  legalComments: 'none',
  // names within the bundle come from paths: the same bundle, wherever the libraries really are
  preserveSymlinks: true,
  plugins: [chartPlugin, actionPlugin],
  // Node's own module of that name warns of its end on standard error
  alias: { punycode: 'punycode/punycode.js' },
  banner: { js: banner },
  define: {
    __filename: '__bundleFile',
    __dirname: '__bundleDirectory',
    'process.env.DRAINWATCH_VERSION': JSON.stringify(version),
  },
};
// programs that are nearly the same share a file, and the repository holds their libraries once
const programs = await build({
  ...options,
  splitting: true,
  chunkNames: 'shared-[hash]',
  entryPoints: {
    cli: 'src/cli/main.ts',
    action: 'src/action/entry.ts',
    'action-main': 'src/action/main.ts',
    'action-post': 'src/action/post.ts',
    'action-report': 'src/action/report.ts',
  },
});
// each of these is started by itself: the probe even in an image that holds nothing else
const loaded = await build({
  ...options,
  splitting: false,
  entryPoints: {
    charts: 'src/rendering/canvas-renderer.ts',
    'flow-worker': 'src/flows/worker.ts',
    'new-connections-worker': 'src/flows/new-connections/worker.ts',
    probe: 'probe/src/main.ts',
    agent: 'src/flows/new-connections/agent.ts',
  },
});
writeFileSync(`${outdir}/package.json`, '{"type":"module"}\n');
// built-in matrices are found beside the bundle, wherever it was copied to
cpSync('matrix', `${outdir}/matrix`, { recursive: true, filter: (path) => !path.endsWith('schema.json') });
copyChartAssets(outdir);
const metafiles = [programs.metafile, loaded.metafile];
writeFileSync(`${outdir}/THIRD_PARTY_LICENSES.txt`, thirdPartyLicenses(metafiles));
if (metafilesPath !== undefined) writeFileSync(metafilesPath, JSON.stringify(metafiles));
