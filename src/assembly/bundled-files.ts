import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Files that the build puts beside the entry: found from the entry's own place, wherever it was copied to. */
export interface BundledFiles {
  readonly folder: string;
  readonly probe: string;
  readonly flowWorker: string;
  readonly newConnectionsWorker: string;
  readonly matrices: string;
  /** What a picture needs: `ChartAssets` of src/rendering. */
  readonly charts: { readonly nativeFolder: string; readonly fontsFolder: string };
}

export function bundledFilesBeside(entryUrl: string): BundledFiles {
  const folder = dirname(fileURLToPath(entryUrl));
  return {
    folder,
    probe: join(folder, 'probe.js'),
    flowWorker: join(folder, 'flow-worker.js'),
    newConnectionsWorker: join(folder, 'new-connections-worker.js'),
    matrices: join(folder, 'matrix'),
    charts: { nativeFolder: join(folder, 'native'), fontsFolder: join(folder, 'fonts') },
  };
}
