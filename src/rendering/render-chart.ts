import type { ChartSpec } from '../domain/chart-spec.ts';
import { describeError, requirementError } from '../domain/errors.ts';
import { nativeLibrary } from './native-library.ts';
import { withinTime } from './time-limit.ts';

/** Where the build put what rendering needs. */
export interface ChartAssets {
  /** Compressed native libraries with their manifest. */
  readonly nativeFolder: string;
  readonly fontsFolder: string;
}

/** A chart takes under a second; the first one also loads the library. */
const limitMs = 60_000;

/** Read by the loader of `@napi-rs/canvas`, at the moment when it is imported. */
const libraryVariable = 'NAPI_RS_NATIVE_LIBRARY_PATH';

type Renderer = typeof import('./canvas-renderer.ts');

/** A process loads one native library, so the first folder decides. */
let renderer: Promise<Renderer> | undefined;

/**
 * Draws a chart as a PNG of two pixels for each CSS pixel. The same spec gives the same picture. Nothing of the renderer
 * is loaded before the first call.
 *
 * @throws {ActionableError} of kind `requirement` where no picture can be drawn on this machine, of kind `harness` when
 * one is not done in a minute.
 */
export async function renderChart(spec: ChartSpec, { nativeFolder, fontsFolder }: ChartAssets): Promise<Buffer> {
  renderer ??= loadRenderer(nativeFolder);
  const { renderOnCanvas } = await renderer;
  return withinTime(renderOnCanvas(spec, fontsFolder), 'a picture', limitMs);
}

async function loadRenderer(nativeFolder: string): Promise<Renderer> {
  const library = await nativeLibrary(nativeFolder);
  const before = process.env[libraryVariable];
  process.env[libraryVariable] = library;
  try {
    return await import('./canvas-renderer.ts');
  } catch (error) {
    throw requirementError(
      {
        expected: `the native canvas ${library} loads on this machine`,
        found: describeError(error),
        remedy: 'draw the charts of the run elsewhere, or do without: everything else works here',
      },
      error,
    );
  } finally {
    if (before === undefined) Reflect.deleteProperty(process.env, libraryVariable);
    else process.env[libraryVariable] = before;
  }
}
