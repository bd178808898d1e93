import type { Theme } from '../domain/chart.ts';

/** Who an event or a time belongs to. */
export type Role = 'tcp' | 'udp' | 'cluster' | 'probe';

export interface Palette {
  readonly background: string;
  readonly text: string;
  readonly muted: string;
  readonly grid: string;
  /** Behind every other row. */
  readonly stripe: string;
  /** The dead-endpoint window. */
  readonly alarm: string;
  readonly roles: Readonly<Record<Role, string>>;
}

/**
 * Background and text are GitHub's. The roles are colours of Okabe and Ito ("Color Universal Design", 2008), which people
 * with any colour vision tell apart, made darker on white and lighter on black until each has a contrast of 3 : 1 with
 * the background (WCAG 2.2, 1.4.11); a test holds both.
 */
export const palettes: Readonly<Record<Theme, Palette>> = {
  light: {
    background: '#ffffff',
    text: '#1f2328',
    muted: '#59636e',
    grid: '#d8dee4',
    stripe: '#f6f8fa',
    alarm: 'rgba(213, 94, 0, 0.14)',
    roles: { tcp: '#0072b2', udp: '#c25400', cluster: '#00805d', probe: '#a03c87' },
  },
  dark: {
    background: '#0d1117',
    text: '#f0f6fc',
    muted: '#9198a1',
    grid: '#2f353d',
    stripe: '#151b23',
    alarm: 'rgba(230, 159, 0, 0.2)',
    roles: { tcp: '#56b4e9', udp: '#e69f00', cluster: '#009e73', probe: '#e0a1c6' },
  },
};

/** A flow's outcome, by the name that `outcomeName` gives. On any background: bars have an outline. */
const outcomeFills: ReadonlyMap<string, string> = new Map([
  ['drained-clean-close', '#0072b2'],
  ['severed (rst)', '#d55e00'],
  ['severed (unannounced-fin)', '#882255'],
  ['severed (write-error)', '#8c2d04'],
  ['severed (icmp-unreachable)', '#e69f00'],
  ['severed (silence)', '#f0e442'],
  ['severed (rehomed)', '#cc79a7'],
  ['read-timeout', '#999933'],
  ['survived-observation-window', '#009e73'],
  ['not-measured', '#a9a9a9'],
]);

export const outcomeFill = (outcome: string): string => outcomeFills.get(outcome) ?? '#a9a9a9';

/** Black or white, whichever is read better on `fill` (`#rrggbb`). */
export const inkOn = (fill: string): string => (luminance(fill) > 0.179 ? '#000000' : '#ffffff');

/** Relative luminance, 0 to 1 (WCAG 2.2). */
export function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
