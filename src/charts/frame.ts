import type { Drawing, PointShape } from '../domain/chart-spec.ts';
import type { Aggregate, ArmResult } from '../domain/aggregate.ts';
import type { Environment } from '../domain/environment.ts';
import { mapMeasured, notMeasured, valueOf } from '../domain/measured.ts';
import { printable } from '../domain/printable.ts';
import { mark, line, px, rect, text, textSize } from './drawing.ts';
import type { Palette } from './palette.ts';
import { fitText, textWidth } from './text-width.ts';

/** Every chart's width: a comment on GitHub shows it unscaled. */
export const chartWidth = 840;
export const margin = 16;

/** An entry of the legend. */
export interface Key {
  readonly label: string;
  readonly shape: PointShape | 'line' | 'band' | 'stroke' | 'thin' | 'dashes';
  readonly fill: string;
  readonly stroke: string;
}

export interface FrameText {
  readonly title: string;
  readonly subtitle: string;
  readonly keys: readonly Key[];
}

export interface Frame {
  readonly drawings: readonly Drawing[];
  /** Where the plot may begin, in CSS pixels from the upper edge. */
  readonly top: number;
}

const keyGap = 18;
const keyMark = 16;
const lineHeight = 20;

/** Title, subtitle and legend, from the upper edge down. */
export function frame({ title, subtitle, keys }: FrameText, palette: Palette): Frame {
  const width = chartWidth - 2 * margin;
  const heading = [
    text({ x: px(margin), y: 24, text: fitText(title, width, 17, true), size: 17, bold: true, color: palette.text }),
    text({ x: px(margin), y: 47, text: fitText(subtitle, width, 13), size: 13, color: palette.muted }),
  ];
  const drawings: Drawing[] = [];
  let [x, y] = [margin, 71];
  for (const key of keys) {
    const needs = keyMark + textWidth(key.label, textSize);
    if (x > margin && x + needs > chartWidth - margin) [x, y] = [margin, y + lineHeight];
    drawings.push(...keyDrawings(key, x, y, palette));
    x += needs + keyGap;
  }
  return { drawings: [...heading, ...drawings], top: keys.length === 0 ? 66 : y + 18 };
}

function keyDrawings({ label, shape, fill, stroke }: Key, x: number, y: number, palette: Palette): readonly Drawing[] {
  const name = text({ x: px(x + keyMark), y, text: label, color: palette.text });
  switch (shape) {
    case 'line':
      return [
        line({ from: { x: px(x + 5), y: y - 7 }, to: { x: px(x + 5), y: y + 7 }, color: stroke, width: 2 }),
        name,
      ];
    case 'band':
      return [
        rect({ from: { x: px(x), y: y - 6 }, to: { x: px(x + 12), y: y + 6 }, fill: stroke, layer: 'middle' }),
        rect({ from: { x: px(x + 1), y: y - 5 }, to: { x: px(x + 11), y: y + 5 }, fill, layer: 'front' }),
        name,
      ];
    case 'stroke':
    case 'thin':
    case 'dashes': {
      const look = { stroke: { width: 2.5 }, thin: { width: 1 }, dashes: { width: 1.5, dash: [3, 3] } }[shape];
      return [line({ from: { x: px(x - 1), y }, to: { x: px(x + 12), y }, color: stroke, ...look }), name];
    }
    default:
      return [mark({ x: px(x + 5), y, shape, radius: 4, fill, stroke }), name];
  }
}

/** What all numbers of a run hold for: `Kubernetes v1.34.0 · iptables · kindnet`, without what its arms vary. */
export function circumstances({ environment, arms }: Aggregate): string {
  if (environment.status === 'not-measured') return 'environment not recorded';
  const varied = notMeasured('the arms vary it');
  const varies = (level: (result: ArmResult) => string | null) => new Set(arms.map(level)).size > 1;
  return environmentWords({
    ...environment.value,
    ...(varies(({ arm }) => arm.kubernetesVersion) && { kubernetesVersion: varied }),
    ...(varies(({ arm }) => arm.proxyMode) && { proxyMode: varied }),
  });
}

/** What a trial's numbers hold for; the provider's name where no cluster was. */
export function environmentWords({ provider, kubernetesVersion, proxyMode, cni }: Environment): string {
  const version = mapMeasured(kubernetesVersion, (value) => `Kubernetes ${value}`);
  const facts = [version, proxyMode, cni].flatMap((fact) => valueOf(fact) ?? []);
  return printable(facts.length === 0 ? `provider ${provider}` : facts.join(' · '));
}
