import { unfinishedFrom } from '../../lib/metric-series.ts';

export interface SparkPoint {
  t: string;
  v: number;
}

interface Size {
  width: number;
  height: number;
}

const MINUTE_MS = 60_000;
/** Points are a minute apart: where more lies between, nothing was measured. */
const GAP_MS = 90_000;

const HOUR_MS = 3_600_000;

/**
 * The line of an SVG over the hour up to now, broken where nothing was measured, with a dot for what stands alone;
 * null where nobody came: the base is there, and a short piece of a line upon it would look as if somebody had. A
 * minute that is not over is left out: the line would fall there however many come.
 */
export function sparklinePath(all: readonly SparkPoint[], { width, height }: Size, nowMs: number): string | null {
  const end = wholeUntil(all, nowMs);
  const points = all.filter(({ t }) => Date.parse(t) < end);
  if (sumOf(points) === 0) return null;
  const times = points.map(({ t }) => Date.parse(t));
  // Clocks may differ a little: what was measured is never out of the picture.
  const until = Math.max(nowMs, times.at(-1)!);
  const from = until - HOUR_MS;
  const most = Math.max(1, ...points.map(({ v }) => v));
  const goesOn = times.map((time, index) => index > 0 && time - times[index - 1]! <= GAP_MS);
  const parts = points.map(({ v }, index) => {
    const x = Math.max(0, (times[index]! - from) / HOUR_MS) * width;
    const dot = goesOn[index] || goesOn[index + 1] ? '' : 'h0';
    return `${goesOn[index] ? 'L' : 'M'}${round(x)} ${round(height - (v / most) * height)}${dot}`;
  });
  return parts.join('');
}

/**
 * The last point is of the minute that was running when it was asked, if it is not of long ago; the one before may lack
 * what was not written down yet. A clock that differs takes no more than those two.
 */
function wholeUntil(points: readonly SparkPoint[], nowMs: number): number {
  const last = Date.parse(points.at(-1)?.t ?? '');
  const from = unfinishedFrom({ endTime: new Date(nowMs).toISOString(), stepSeconds: MINUTE_MS / 1000 });
  return from > last + 2 * MINUTE_MS ? Infinity : Math.min(last, Math.max(last - MINUTE_MS, from));
}

export function sumOf(points: readonly SparkPoint[]): number {
  return points.reduce((sum, { v }) => sum + v, 0);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
