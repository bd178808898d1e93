import type { Chart, ChartConfiguration, Plugin, Scale } from 'chart.js';
import type { Across, ChartDataset, ChartScale, ChartSpec, DrawingLayer, ScaleKind } from '../domain/chart-spec.ts';
import { symlog } from '../charts/symlog.ts';
import { draw } from './draw.ts';
import { surfaceOf } from './surface.ts';

/** Pixels of the picture for a CSS pixel: sharp on screens of twice the usual density. */
const pixelRatio = 2;

/** A spec with the functions that Chart.js asks for. Each call gives a new one: Chart.js writes into what it is given. */
export function chartConfiguration(spec: ChartSpec, fontFamily: string): ChartConfiguration {
  const { type, data, options } = spec.config;
  const { background, font, padding, indexAxis, scales } = options;
  const placeOn = (scale: string) => placement(scales[scale]?.kind ?? { type: 'linear' });
  return {
    type,
    data: {
      labels: [...data.labels],
      datasets: data.datasets.map((dataset) =>
        type === 'bar'
          ? barDataset(dataset, data.labels.length)
          : pointDataset(dataset, placeOn(dataset.xScale), placeOn(dataset.yScale)),
      ),
    },
    options: {
      responsive: false,
      animation: false,
      devicePixelRatio: pixelRatio,
      indexAxis,
      font: { family: fontFamily, size: font.size },
      color: font.color,
      layout: { padding: { ...padding } },
      scales: Object.fromEntries(
        Object.entries(scales).map(([id, scale]) => [id, scaleOptions(scale, fontFamily, font.size)]),
      ),
      plugins: { legend: { display: false }, title: { display: false }, tooltip: { enabled: false } },
    },
    plugins: [backgroundPlugin(background), ...layers.map((layer) => drawingsPlugin(spec, layer, fontFamily))],
  };
}

const pointDataset = (
  { label, xScale, yScale, fill, stroke, strokeWidth, shape, size, points }: ChartDataset,
  placeX: (value: number) => number,
  placeY: (value: number) => number,
) => ({
  label,
  xAxisID: xScale,
  yAxisID: yScale,
  data: points.map(({ x, y }) => ({ x: placeX(x), y: placeY(y) })),
  pointStyle: shape,
  pointRadius: size,
  pointBackgroundColor: fill,
  pointBorderColor: stroke,
  pointBorderWidth: strokeWidth,
  showLine: false,
  // half of a point on the plot's edge would be cut off
  clip: false as const,
});

const barDataset = (
  { label, xScale, yScale, fill, stroke, strokeWidth, size, points }: ChartDataset,
  rows: number,
) => ({
  label,
  xAxisID: xScale,
  yAxisID: yScale,
  data: Array.from({ length: rows }, (_, row) => points.find(({ y }) => y === row)?.x ?? null),
  backgroundColor: fill,
  borderColor: stroke,
  borderWidth: strokeWidth,
  borderSkipped: false,
  barThickness: size,
});

/** Chart.js has no symmetric logarithm: values are placed on a linear scale. */
function placement(kind: ScaleKind): (value: number) => number {
  return kind.type === 'symlog' ? (value) => symlog(value, kind.linear) : (value) => value;
}

function scaleOptions(scale: ChartScale, family: string, fontSize: number) {
  const { kind, axis, visible, min, max, reverse, stack, stacked, marks, color, gridColor, size } = scale;
  const place = placement(kind);
  return {
    type: kind.type === 'symlog' ? ('linear' as const) : kind.type,
    axis,
    position: axis === 'x' ? ('bottom' as const) : ('left' as const),
    display: visible,
    ...(min !== undefined && { min: place(min) }),
    ...(max !== undefined && { max: place(max) }),
    ...(reverse !== undefined && { reverse }),
    ...(stack !== undefined && { stack: stack.name, stackWeight: stack.weight }),
    ...(stacked !== undefined && { stacked }),
    border: { display: false },
    grid: { color: gridColor, drawTicks: false, lineWidth: 1 },
    ticks: {
      color,
      autoSkip: false,
      maxRotation: 0,
      padding: 8,
      font: { family, size: fontSize },
      callback: (_value: unknown, index: number) => marks[index]?.label ?? '',
    },
    ...(visible && {
      afterBuildTicks: (built: Scale) => {
        built.ticks = marks.map(({ value }) => ({ value: place(value) }));
      },
      afterFit: (fitted: Scale) => {
        if (axis === 'x') fitted.height = size;
        else fitted.width = size;
      },
    }),
  };
}

/** Chart.js leaves the background transparent; chartjs-node-canvas paints it only with its first instance. */
const backgroundPlugin = (color: string): Plugin => ({
  id: 'background',
  beforeDraw(chart) {
    const surface = surfaceOf(chart.ctx);
    surface.save();
    surface.fillStyle = color;
    surface.fillRect(0, 0, chart.width, chart.height);
    surface.restore();
  },
});

/** When Chart.js has drawn what lies under each layer: its grid comes after `beforeDraw`. */
const paintedAt = {
  back: 'beforeDraw',
  middle: 'beforeDatasetsDraw',
  front: 'afterDatasetsDraw',
} as const satisfies Record<DrawingLayer, keyof Plugin>;

const layers = ['back', 'middle', 'front'] as const;

function drawingsPlugin({ config }: ChartSpec, layer: DrawingLayer, fontFamily: string): Plugin {
  const { drawings, scales } = config.options;
  const paint = (chart: Chart) => {
    const pixelOf = (across: Across) => {
      if ('px' in across) return across.px;
      const [scale, kind] = [chart.scales[across.scale], scales[across.scale]?.kind];
      if (scale === undefined || kind === undefined) throw new TypeError(`no scale ${across.scale}`);
      return scale.getPixelForValue(placement(kind)(across.value)) + (across.offsetPx ?? 0);
    };
    for (const drawing of drawings) {
      if (drawing.layer === layer) draw(surfaceOf(chart.ctx), drawing, pixelOf, fontFamily);
    }
  };
  return { id: `drawings-${layer}`, [paintedAt[layer]]: paint };
}
