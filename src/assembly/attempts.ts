import type { RunManifest } from '../report/manifest.ts';

/** A workflow's attempts at the same run, from 1; only the Action knows of them. */
const option = 'attempt';

export const withAttempt = (manifest: RunManifest, attempt: number): RunManifest => ({
  ...manifest,
  options: { ...manifest.options, [option]: attempt },
});

export const attemptOf = ({ options }: RunManifest): number => {
  const attempt = options[option];
  return typeof attempt === 'number' ? attempt : 1;
};

/** A merged run is of no attempt: its arms may be of several. */
export const withoutAttempt = ({ options, ...manifest }: RunManifest): RunManifest => ({
  ...manifest,
  options: Object.fromEntries(Object.entries(options).filter(([name]) => name !== option)),
});
