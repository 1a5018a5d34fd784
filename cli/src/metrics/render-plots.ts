import { byteSize } from '../terminal/byte-size.ts';
import { plot } from '../terminal/plot.ts';
import type { Paper } from '../terminal/render.ts';
import { columnsOf, figure, type MetricColumn, type Metrics } from './render-metrics.ts';

const HEIGHT = 3;
const MOST_WIDTH = 120;
const LONGEST_STEP_OF_A_DAY = 300;
/** What is plotted, as people call it; the table has more. */
const TITLES: Record<string, string> = {
  CPU: 'CPU',
  MEMORY: 'Memory',
  REQUESTS: 'Requests',
  P95: 'Latency, 95th percentile',
  INSTANCES: 'Instances',
  IN: 'Received',
  OUT: 'Sent',
};
/** What is added up over the range; of the others the newest value says more. */
const SUMS = new Set(['REQUESTS', 'IN', 'OUT']);

/** A plot for each figure that was measured: its name and what it is now above, the scale at the side, times below. */
export function renderPlots(metrics: Metrics, paper: Pick<Paper, 'width' | 'hasUnicode'>): string {
  const columns = columnsOf(metrics).filter(({ name }) => TITLES[name]);
  const measured = columns.filter(({ series }) => series.length > 0);
  if (measured.length === 0) return 'Nothing was measured in this time.';
  const missing = columns.filter(({ series }) => series.length === 0).map(({ name }) => TITLES[name]);
  const side = Math.max(...measured.map((column) => scaleOf(column).length));
  const plots = measured.map((column) => onePlot(column, { metrics, paper, side }));
  const last = missing.length > 0 ? [`Not measured: ${missing.join(', ')}.`] : [];
  return [...plots, ...last].join('\n\n');
}

interface Surroundings {
  metrics: Metrics;
  paper: Pick<Paper, 'width' | 'hasUnicode'>;
  /** How wide the scale at the side is. */
  side: number;
}

function onePlot(column: MetricColumn, { metrics: { timeRange }, paper, side }: Surroundings): string {
  const { hasUnicode } = paper;
  const rows = plot(column.series, {
    startMs: Date.parse(timeRange.startTime),
    endMs: Date.parse(timeRange.endTime),
    stepMs: timeRange.stepSeconds * 1000,
    width: Math.max(1, Math.min(MOST_WIDTH, paper.width) - side - 2),
    height: HEIGHT,
    most: mostOf(column),
    hasUnicode,
  });
  const [wall, floor, corner] = hasUnicode ? ['│', '─', '└'] : ['|', '-', '+'];
  const width = rows[0]!.length;
  const labels = [scaleOf(column), ...Array.from({ length: HEIGHT - 1 }, () => '')];
  return [
    `${TITLES[column.name]}: ${summaryOf(column)}`,
    ...rows.map((row, index) => `${labels[index]!.padStart(side)} ${wall}${row}`.trimEnd()),
    `${'0'.padStart(side)} ${corner}${floor.repeat(width)}`,
    `${' '.repeat(side + 2)}${timesBelow(timeRange, width)}`,
  ].join('\n');
}

const mostOf = ({ series }: MetricColumn) => Math.max(0, ...series.map(({ v }) => v));

function scaleOf(column: MetricColumn): string {
  return withUnit(column, mostOf(column));
}

function summaryOf(column: MetricColumn): string {
  const { name, unit, series } = column;
  if (!SUMS.has(name)) return `${withUnit(column, series.at(-1)!.v)} now`;
  const sum = series.reduce((all, { v }) => all + v, 0);
  return `${unit === '' ? sum : byteSize(sum)} in all`;
}

const withUnit = ({ unit, scale }: MetricColumn, value: number) =>
  [figure(value, scale), unit].filter(Boolean).join(' ');

function timesBelow({ startTime, endTime, stepSeconds }: Metrics['timeRange'], width: number): string {
  const from = stepSeconds > LONGEST_STEP_OF_A_DAY ? 5 : 11;
  const [start, end] = [startTime, endTime].map((time) => time.slice(from, 16).replace('T', ' '));
  const gap = width - start!.length - end!.length - 4;
  return gap < 1 ? start! : `${start}${' '.repeat(gap)}${end} UTC`;
}
