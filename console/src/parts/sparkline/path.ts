export interface SparkPoint {
  t: string;
  v: number;
}

interface Size {
  width: number;
  height: number;
}

/** Points are a minute apart: where more lies between, nothing was measured. */
const GAP_MS = 90_000;

const HOUR_MS = 3_600_000;

/**
 * The line of an SVG over the hour up to now, broken where nothing was measured, with a dot for what stands alone;
 * null where nobody came: the base is there, and a short piece of a line upon it would look as if somebody had.
 */
export function sparklinePath(points: readonly SparkPoint[], { width, height }: Size, nowMs: number): string | null {
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

export function sumOf(points: readonly SparkPoint[]): number {
  return points.reduce((sum, { v }) => sum + v, 0);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
