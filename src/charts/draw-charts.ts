import { completeArms } from '../domain/arm-labels.ts';
import { themes, type Chart, type ChartInput, type Theme } from '../domain/chart.ts';
import type { ChartSpec } from '../domain/chart-spec.ts';

/** A chart in every theme. */
export interface DrawnChart {
  /** Names the file: the chart's name, with the arm's where it is of one arm. Letters, digits, dots and hyphens. */
  readonly name: string;
  readonly title: string;
  /** The same in every theme. */
  readonly altText: string;
  readonly specs: Readonly<Record<Theme, ChartSpec>>;
}

/** Every chart that has something to show, in the order of the registry; those of one arm, an arm after the other. */
export function drawCharts(charts: Iterable<Chart>, input: Omit<ChartInput, 'theme'>): readonly DrawnChart[] {
  return [...charts].flatMap((chart) =>
    chart.scope === 'run'
      ? drawn(chart, chart.name, input)
      : completeArms(input.aggregate).flatMap((arm) =>
          drawn(chart, `${chart.name}-${arm.arm.id.replaceAll(/[^0-9A-Za-z.-]/g, '-')}`, {
            ...input,
            aggregate: { ...input.aggregate, arms: [arm] },
          }),
        ),
  );
}

function drawn(chart: Chart, name: string, input: Omit<ChartInput, 'theme'>): readonly DrawnChart[] {
  const [light, dark] = themes.map((theme) => chart.draw({ ...input, theme }));
  if (light === undefined || dark === undefined) return [];
  return [{ name, title: chart.title, altText: light.altText, specs: { light, dark } }];
}
