import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import { columnWidths } from '../terminal/table.ts';

export type Metrics = OutputOf<Endpoints['metrics.detailed']>;
type Series = readonly { t: string; v: number }[];

export interface MetricColumn {
  name: string;
  unit: string;
  series: Series;
  /** What a value is divided by. */
  scale: number;
}

export const MEBIBYTE = 1024 ** 2;
const SIZES = [
  ['B', 1],
  ['KiB', 1024],
  ['MiB', MEBIBYTE],
  ['GiB', 1024 ** 3],
] as const;
/** Four digits stand in a narrow column. */
const LARGEST_SHOWN = 10_000;
/** With longer steps there is more than one day in the range. */
const LONGEST_STEP_OF_A_DAY = 300;

export function renderMetrics(metrics: Metrics, width: number): string {
  const hasDays = metrics.timeRange.stepSeconds > LONGEST_STEP_OF_A_DAY;
  return renderColumns(columnsOf(metrics), { width, hasDays });
}

/** A row for each time, a column for each figure, its unit below its name. */
export function renderColumns(
  all: readonly MetricColumn[],
  { width, hasDays }: { width: number; hasDays: boolean },
): string {
  const columns = all.filter(({ series }) => series.length > 0);
  const times = [...new Set(columns.flatMap(({ series }) => series.map(({ t }) => t)))].toSorted();
  if (times.length === 0) return 'Nothing was measured in this time.';
  const missing = all.filter((column) => !columns.includes(column)).map(({ name }) => name);
  const table = alignNumbers([headsOf(columns), unitsOf(columns), ...rowsOf(columns, times, timeForm(hasDays))], width);
  return [...table, ...(missing.length > 0 ? ['', `Not measured: ${missing.join(', ')}.`] : [])].join('\n');
}

const headsOf = (columns: readonly MetricColumn[]) => ['TIME', ...columns.map(({ name }) => name)];
const unitsOf = (columns: readonly MetricColumn[]) => ['UTC', ...columns.map(({ unit }) => unit)];

/** What was asked for, in the order and the units that people compare. */
export function columnsOf({ metrics, latencyPercentiles }: Metrics): MetricColumn[] {
  const { cpu, memory, requestCount, latency, instanceCount, bandwidthIn, bandwidthOut } = metrics;
  const columns = [
    column('CPU', cpu, '%'),
    column('MEMORY', memory, 'MiB', MEBIBYTE),
    column('REQUESTS', requestCount),
    column('P50', latency && latencyPercentiles?.p50, 'ms'),
    column('P95', latency, 'ms'),
    column('P99', latency && latencyPercentiles?.p99, 'ms'),
    column('INSTANCES', instanceCount),
    column('IN', bandwidthIn, ...sizeFor(bandwidthIn)),
    column('OUT', bandwidthOut, ...sizeFor(bandwidthOut)),
  ];
  return columns.filter((found) => found !== null);
}

/** Null for what was not asked for. */
function column(name: string, series: Series | undefined, unit = '', scale = 1): MetricColumn | null {
  return series ? { name, unit, series, scale } : null;
}

/** The smallest unit in which the largest value is still short. */
export function sizeFor(series: Series = []): readonly [unit: string, scale: number] {
  const largest = Math.max(0, ...series.map(({ v }) => v));
  return SIZES.find(([, scale]) => largest / scale < LARGEST_SHOWN) ?? SIZES.at(-1)!;
}

function rowsOf(columns: readonly MetricColumn[], times: readonly string[], form: (t: string) => string): string[][] {
  const values = columns.map(({ series }) => new Map(series.map(({ t, v }) => [t, v])));
  return times.map((t) => [form(t), ...columns.map(({ scale }, index) => figure(values[index]!.get(t), scale))]);
}

/** Small values keep a decimal; what is more than nothing never looks like nothing. */
export function figure(value: number | undefined, scale: number): string {
  if (value === undefined) return '-';
  const scaled = value / scale;
  if (scaled > 0 && scaled < 0.05) return '<0.1';
  return Number.isInteger(scaled) || scaled >= 99.95 ? String(Math.round(scaled)) : scaled.toFixed(1);
}

function timeForm(hasDays: boolean): (t: string) => string {
  const start = hasDays ? 5 : 11;
  return (t) => t.slice(start, 16).replace('T', ' ');
}

/** Numbers end below one another; where two spaces between them are too many, one does. */
function alignNumbers(rows: readonly (readonly string[])[], width: number): string[] {
  const widths = columnWidths(rows);
  const total = widths.reduce((sum, each) => sum + each, 0);
  const gap = total + 2 * (widths.length - 1) <= width ? '  ' : ' ';
  const pad = (cell: string, index: number) =>
    index === 0 ? cell.padEnd(widths[index]!) : cell.padStart(widths[index]!);
  return rows.map((row) => row.map(pad).join(gap).trimEnd());
}
