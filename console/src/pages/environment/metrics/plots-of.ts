import type { OutputOf } from '../../../lib/api-types.ts';
import { everyStep, type MetricPoint, unfinishedFrom } from '../../../lib/metric-series.ts';
import type { PlotSeries } from '../../../parts/plot/data.ts';

type Detailed = Pick<OutputOf<'metrics.detailed'>, 'deploymentType' | 'timeRange' | 'metrics' | 'latencyPercentiles'>;

interface EnvironmentPlot {
  title: string;
  series: PlotSeries[];
  most?: number;
}

/** What there is to draw: a static site has no instances. */
export function plotsOf({
  deploymentType,
  timeRange,
  metrics,
  latencyPercentiles: other,
}: Detailed): EnvironmentPlot[] {
  const of = (label: string, unit: PlotSeries['unit'], points: readonly MetricPoint[] | undefined): PlotSeries => ({
    label,
    unit,
    points: everyStep(timeRange, points),
  });
  const sumOf: typeof of = (...given) => ({ ...of(...given), unfinishedFrom: unfinishedFrom(timeRange) });
  const step = stepText(timeRange.stepSeconds);
  const traffic: EnvironmentPlot[] = [
    { title: `Requests ${step}`, series: [{ ...sumOf('requests', 'count', metrics.requestCount), look: 'bars' }] },
    {
      title: 'Latency',
      series: [of('median', 'ms', other?.p50), of('95th', 'ms', metrics.latency), of('99th', 'ms', other?.p99)],
    },
    {
      title: `Bandwidth ${step}`,
      series: [sumOf('sent', 'bytes', metrics.bandwidthOut), sumOf('received', 'bytes', metrics.bandwidthIn)],
    },
  ];
  if (deploymentType === 'static') return traffic;
  return [
    ...traffic,
    {
      title: 'Instances, on average',
      series: [{ ...of('instances', 'average', metrics.instanceCount), look: 'steps' }],
    },
    { title: 'CPU, percent of limit', series: [of('cpu', 'percent', metrics.cpu)], most: 100 },
    { title: 'Memory, all instances', series: [of('memory', 'bytes', metrics.memory)] },
  ];
}

/** "a minute", "in 5 minutes", "in 2 hours": how long what is summed took. */
export function stepText(seconds: number): string {
  if (seconds === 60) return 'a minute';
  const hours = seconds / 3600;
  if (hours === 1) return 'an hour';
  return Number.isInteger(hours) ? `in ${hours} hours` : `in ${Math.round(seconds / 60)} minutes`;
}
