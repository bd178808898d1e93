import type { Drawing } from '../../domain/chart-spec.ts';
import { endOf } from '../../domain/classify.ts';
import type { Flow } from '../../domain/flow.ts';
import type { TimelinePoint } from '../../domain/time.ts';
import { line, px } from '../drawing.ts';
import type { Palette } from '../palette.ts';
import { edge, pixelOn, type Panel } from './panels.ts';

/** When a flow ended, and when another pod first answered it. */
export const flowMarks = ({ outcome, rehomed }: Flow): readonly TimelinePoint[] =>
  [endOf(outcome), rehomed?.at].filter((point) => point !== undefined);

/**
 * A flow's line in one panel: thick while it surely lived, thin while it may have, dashed from another pod's first
 * answer on. Nothing is drawn of a flow that was not measured.
 */
export function drawFlow(
  { protocol, outcome, rehomed }: Flow,
  y: number,
  panel: Panel,
  palette: Palette,
): readonly Drawing[] {
  if (outcome.kind === 'not-measured') return [];
  const color = palette.roles[protocol];
  const end = endOf(outcome);
  const endMs = end?.tMs ?? Infinity;
  const surelyMs = endMs - (end?.precision.kind === 'bounded' ? end.precision.earlyMs : 0);
  const part = (fromMs: number, toMs: number, look: { width: number; dash?: readonly number[]; color: string }) => {
    const from = Math.max(pixelOn(panel, fromMs), panel.left + edge);
    const to = Math.min(pixelOn(panel, toMs), panel.left + panel.width - edge);
    return to <= from ? [] : [line({ from: { x: px(from), y }, to: { x: px(to), y }, ...look })];
  };
  return [
    ...part(-Infinity, surelyMs, { width: 2.5, color }),
    ...part(surelyMs, endMs, { width: 1, color }),
    ...(rehomed === null ? [] : part(rehomed.at.tMs, Infinity, { width: 1.5, dash: [3, 3], color: palette.muted })),
  ];
}
