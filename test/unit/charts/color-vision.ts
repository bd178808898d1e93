/** Colours as people see them: simulation and distance. */
export type Rgb = readonly [number, number, number];

export const rgbOf = (hex: string): Rgb => {
  const channel = (start: number) => Number.parseInt(hex.slice(start, start + 2), 16) / 255;
  return [channel(1), channel(3), channel(5)];
};

const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/**
 * Matrices of full deficiency from Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of
 * Color Vision Deficiency", IEEE TVCG 15 (2009), for linear RGB.
 */
export const visions = {
  usual: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
} as const;

/** CIE L*a*b* (D65) of a colour as someone with that vision sees it. */
export function seen(hex: string, vision: keyof typeof visions): Rgb {
  const [r, g, b] = rgbOf(hex).map(linear) as unknown as Rgb;
  const m = visions[vision];
  const [red, green, blue] = [0, 3, 6].map((row) =>
    Math.min(1, Math.max(0, (m[row] ?? 0) * r + (m[row + 1] ?? 0) * g + (m[row + 2] ?? 0) * b)),
  ) as unknown as Rgb;
  const x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505;
  const y = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089;
  const [fx, fy, fz] = [x, y, z].map((t) =>
    t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 / 116) * t + 16 / 116,
  ) as unknown as Rgb;
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

/** CIE 1976: about 2.3 is just noticeable. */
export const distance = (one: Rgb, other: Rgb): number =>
  Math.hypot(...one.map((value, index) => value - (other[index] ?? 0)));
