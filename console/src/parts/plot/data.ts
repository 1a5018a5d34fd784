import type { MetricRange } from '@lilac/contract/states';
import type { Unit } from '../../lib/metric-format.ts';

/** A moment in milliseconds, and what was measured then; null where nothing was. */
export type PlotPoint = readonly [t: number, v: number | null];

export interface PlotSeries {
  label: string;
  unit: Unit;
  points: readonly PlotPoint[];
  /** `bars` for sums, `steps` for what holds until it changes; left out, a line. */
  look?: 'bars' | 'steps';
  /** Of sums: from this moment on they are not whole, since their step goes on. In milliseconds. */
  unfinishedFrom?: number;
}

/** From one moment to another, in milliseconds. */
export interface PlotBand {
  from: number;
  to: number;
}

/** The moments in seconds, then a column for each series. */
export type PlotColumns = [number[], ...(number | null | undefined)[][]];

const HOUR_MS = 3_600_000;
export const rangeMs: Record<MetricRange, number> = {
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
};

/** A pause longer than so many steps was not measured, and no line goes over it. */
const GAP_STEPS = 2.5;

/**
 * Series of different moments on one axis. A moment that one series does not have is undefined there, and its line
 * goes on; where it was not measured there is a null, and its line is broken.
 */
export function toColumns(series: readonly PlotSeries[]): PlotColumns {
  const known = series.map(({ points }) => new Map(withGaps(points)));
  const moments = [...new Set(known.flatMap((values) => [...values.keys()]))].toSorted((a, b) => a - b);
  return [moments.map((t) => t / 1000), ...known.map((values) => moments.map((t) => values.get(t)))];
}

function withGaps(points: readonly PlotPoint[]): PlotPoint[] {
  const step = usualStep(points);
  return points.flatMap((point, index) => {
    const before = points[index - 1];
    const isAfterGap = before !== undefined && point[0] - before[0] > GAP_STEPS * step;
    return isAfterGap ? [[(before[0] + point[0]) / 2, null] as const, point] : [point];
  });
}

function usualStep(points: readonly PlotPoint[]): number {
  const steps = points.slice(1).map(([t], index) => t - points[index]![0]);
  return steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? Infinity;
}

/** Measured, with nothing measured on either side: no line leads there, so they need a dot. */
export function loneIndexes(column: readonly (number | null | undefined)[]): number[] {
  const isMissing = (index: number) => column[index] === null || column[index] === undefined;
  return column.flatMap((_, index) =>
    !isMissing(index) && isMissing(index - 1) && isMissing(index + 1) ? [index] : [],
  );
}

export const isUnfinished = ({ unfinishedFrom }: PlotSeries, t: number): boolean => t >= (unfinishedFrom ?? Infinity);

/** The last thing that was measured to its end; where there is no such, what is being measured. */
export function lastPoint(series: PlotSeries): PlotPoint | undefined {
  const measured = series.points.filter(([, v]) => v !== null);
  return measured.findLast(([t]) => !isUnfinished(series, t)) ?? measured[0];
}

/** When anything was measured first, of any of them. */
export function firstMoment(series: readonly PlotSeries[]): number | undefined {
  const moments = series.flatMap(({ points }) => points.find(([, v]) => v !== null)?.[0] ?? []);
  return moments.length === 0 ? undefined : Math.min(...moments);
}

/** When anything was measured last, of any of them, also where that goes on. */
export function lastMoment(series: readonly PlotSeries[]): number | undefined {
  const moments = series.flatMap(({ points }) => points.findLast(([, v]) => v !== null)?.[0] ?? []);
  return moments.length === 0 ? undefined : Math.max(...moments);
}

/** At most so many rows, evenly chosen, with the last: for who is told the numbers. */
export function sampleRows<T>(rows: readonly T[], most: number): T[] {
  if (rows.length <= most) return [...rows];
  return Array.from({ length: most }, (_, index) => rows[Math.round((index * (rows.length - 1)) / (most - 1))]!);
}
