/** All that a renderer needs. Plain data, so that it can be stored, compared and sent. */
export interface ChartSpec {
  /** Says in words what the picture shows, with its numbers. */
  readonly altText: string;
  /** CSS pixels; a renderer may use more pixels for each. */
  readonly width: number;
  readonly height: number;
  readonly config: ChartConfig;
}

/** A Chart.js configuration as plain data: what Chart.js wants a function for is data too (marks, sizes, drawings). */
export interface ChartConfig {
  readonly type: 'scatter' | 'bar';
  readonly data: { readonly labels: readonly string[]; readonly datasets: readonly ChartDataset[] };
  readonly options: {
    readonly indexAxis: 'x' | 'y';
    readonly background: string;
    readonly font: { readonly size: number; readonly color: string };
    readonly padding: ChartEdges;
    readonly scales: Readonly<Record<string, ChartScale>>;
    readonly drawings: readonly Drawing[];
  };
}

export interface ChartEdges {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

export interface ChartPoint {
  readonly x: number;
  readonly y: number;
}

/** Points of a scatter chart or bars of a bar chart, all of one look. */
export interface ChartDataset {
  readonly label: string;
  readonly xScale: string;
  readonly yScale: string;
  readonly fill: string;
  readonly stroke: string;
  readonly strokeWidth: number;
  readonly points: readonly ChartPoint[];
  readonly shape: PointShape;
  /** Of points, in CSS pixels; the thickness of bars. */
  readonly size: number;
}

/** Chart.js's names; a hollow point is one without a fill. */
export type PointShape = 'circle' | 'rectRot' | 'triangle' | 'rect';

/**
 * `symlog` is linear around zero and logarithmic beyond, on both sides: it places v at sign(v) · log10(1 + |v| / linear),
 * so that signed values of several decades share an axis (Webber, "A bi-symmetric log transformation for wide-range
 * data", Meas. Sci. Technol. 24, 2013).
 */
export type ScaleKind =
  | { readonly type: 'linear' }
  | { readonly type: 'logarithmic' }
  | { readonly type: 'symlog'; readonly linear: number }
  | { readonly type: 'category' };

export interface ChartScale {
  readonly kind: ScaleKind;
  readonly axis: 'x' | 'y';
  /** Without an axis the scale only places things. */
  readonly visible: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly reverse?: boolean;
  /** Scales of one axis with the same stack stand one after the other, sharing its length by weight. */
  readonly stack?: { readonly name: string; readonly weight: number };
  readonly stacked?: boolean;
  readonly marks: readonly ScaleMark[];
  readonly color: string;
  readonly gridColor: string;
  /** The axis's thickness in CSS pixels, so that the plot's place is known without rendering. */
  readonly size: number;
}

/** A tick. An empty label leaves the grid line alone. */
export interface ScaleMark {
  readonly value: number;
  readonly label: string;
}

/** A place along x: CSS pixels from the left edge, or a value on a scale and pixels from there. */
export type Across =
  { readonly px: number } | { readonly scale: string; readonly value: number; readonly offsetPx?: number };

/** What is drawn beside the data. `y` is in CSS pixels from the upper edge. */
export type Drawing =
  | {
      readonly kind: 'text';
      readonly layer: DrawingLayer;
      readonly x: Across;
      readonly y: number;
      readonly text: string;
      readonly size: number;
      readonly bold: boolean;
      readonly color: string;
      readonly align: 'left' | 'center' | 'right';
    }
  | {
      readonly kind: 'line';
      readonly layer: DrawingLayer;
      readonly from: { readonly x: Across; readonly y: number };
      readonly to: { readonly x: Across; readonly y: number };
      readonly color: string;
      readonly width: number;
      readonly dash: readonly number[];
    }
  | {
      readonly kind: 'rect';
      readonly layer: DrawingLayer;
      readonly from: { readonly x: Across; readonly y: number };
      readonly to: { readonly x: Across; readonly y: number };
      readonly fill: string;
    }
  | {
      readonly kind: 'mark';
      readonly layer: DrawingLayer;
      readonly x: Across;
      readonly y: number;
      readonly shape: PointShape;
      readonly radius: number;
      readonly fill: string;
      readonly stroke: string;
      readonly strokeWidth: number;
    };

/** Under the grid, between the grid and the data, or over the data. */
export type DrawingLayer = 'back' | 'middle' | 'front';
