// Bundles the entries of src/ and probe/: `node scripts/build.mjs [DIRECTORY]`, dist/ by default.
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { chartPlugin, copyChartAssets, keptFolder } from './chart-assets.mjs';

const outdir = process.argv[2] ?? 'dist';
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

await build({
  entryPoints: {
    cli: 'src/cli/main.ts',
    charts: 'src/rendering/canvas-renderer.ts',
    'flow-worker': 'src/flows/worker.ts',
    probe: 'probe/src/main.ts',
  },
  outdir,
  bundle: true,
  splitting: false,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  minify: true,
  keepNames: true,
  legalComments: 'none',
  plugins: [chartPlugin],
  banner: { js: banner },
  define: {
    __filename: '__bundleFile',
    __dirname: '__bundleDirectory',
    'process.env.DRAINWATCH_VERSION': JSON.stringify(version),
  },
});
writeFileSync(`${outdir}/package.json`, '{"type":"module"}\n');
// built-in matrices are found beside the bundle, wherever it was copied to
cpSync('matrix', `${outdir}/matrix`, { recursive: true, filter: (path) => !path.endsWith('schema.json') });
copyChartAssets(outdir);
