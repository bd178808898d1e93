import { join } from 'node:path';
import { GlobalFonts } from '@napi-rs/canvas';
import { ChartJSNodeCanvas } from 'chartjs-node-canvas';
import type { ChartSpec } from '../domain/chart-spec.ts';
import { chartConfiguration } from './chart-configuration.ts';

/** A name that no installed font has: text looks the same wherever it is drawn. */
const fontFamily = 'Drainwatch Sans';

const fontFiles = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'] as const;

const registered = new Set<string>();

/** Without a registered font, and with none installed, text is silently left out. */
function registerFonts(folder: string): void {
  if (registered.has(folder)) return;
  for (const file of fontFiles) {
    const path = join(folder, file);
    if (GlobalFonts.registerFromPath(path, fontFamily) === null) throw new Error(`no font could be read from ${path}`);
  }
  registered.add(folder);
}

/** Loading this module loads the native canvas. Gives a PNG. */
export async function renderOnCanvas(spec: ChartSpec, fontsFolder: string): Promise<Buffer> {
  registerFonts(fontsFolder);
  const { width, height } = spec;
  const canvas = new ChartJSNodeCanvas({
    width,
    height,
    chartCallback: (chart) => {
      chart.defaults.font.family = fontFamily;
    },
  });
  return canvas.renderToBuffer(chartConfiguration(spec, fontFamily), 'image/png');
}
