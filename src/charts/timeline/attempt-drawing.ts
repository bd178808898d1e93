import type { Drawing } from '../../domain/chart-spec.ts';
import { line, px } from '../drawing.ts';
import type { Palette } from '../palette.ts';
import type { AttemptRow, AttemptSpan } from './attempt-lane.ts';
import { edge, pixelOn, type Panel } from './panels.ts';

/** A row's spans in one panel: thick where the trial's pod answers, dashed where another does, black where none does. */
export function drawAttempts(
  { spans, protocol }: AttemptRow,
  y: number,
  panel: Panel,
  palette: Palette,
): readonly Drawing[] {
  return spans.flatMap((span) => {
    const from = Math.max(pixelOn(panel, span.fromMs), panel.left + edge);
    const to = Math.min(pixelOn(panel, span.toMs), panel.left + panel.width - edge);
    // a single failed attempt is a moment, and must be seen
    const seen = span.kind === 'failing' && to > panel.left + edge ? Math.max(to, from + 1.5) : to;
    if (seen <= from || from > panel.left + panel.width - edge) return [];
    return [
      line({
        from: { x: px(from), y },
        to: { x: px(seen), y },
        ...lookOf(span.kind, palette.roles[protocol], palette),
      }),
    ];
  });
}

function lookOf(kind: AttemptSpan['kind'], own: string, { text, muted }: Palette) {
  switch (kind) {
    case 'pod':
      return { width: 2.5, color: own };
    case 'other-pod':
      return { width: 1.5, dash: [3, 3], color: muted };
    case 'failing':
      return { width: 6, color: text };
    case 'mixed':
      return { width: 6, dash: [2, 2], color: text };
    default:
      return kind satisfies never;
  }
}
