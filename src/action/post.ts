import { bundledFilesBeside } from '../assembly/bundled-files.ts';

// the build makes the three entries share what this loads
const { runPost } = await import('./entry.ts');
await runPost(bundledFilesBeside(import.meta.url));
// an upload that was given up may go on and would hold the step
process.exit();
