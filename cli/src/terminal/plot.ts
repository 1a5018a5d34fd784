type Series = readonly { t: string; v: number }[];

export interface PlotOptions {
  /** What the plot begins and ends with, and how far apart the points are. */
  startMs: number;
  endMs: number;
  stepMs: number;
  width: number;
  height: number;
  /** What the top stands for; nothing is higher. */
  most: number;
  hasUnicode: boolean;
}

const EIGHTHS = ' ▁▂▃▄▅▆▇█';
/** For terminals that know no others. */
const PLAIN = ' .:#';

/**
 * Bars of a whole range of time, the top row first. Where the terminal is narrower than there are points, a bar is the
 * highest of its points: what stood out must be seen. What was not measured is blank, and nothing at all is not: it is
 * the lowest there is.
 */
export function plot(series: Series, options: PlotOptions): string[] {
  const { height, most, hasUnicode } = options;
  const levels = hasUnicode ? EIGHTHS : PLAIN;
  const steps = levels.length - 1;
  const heights = columnsOf(series, options).map((value) => {
    if (value === null) return 0;
    const share = most === 0 ? 0 : value / most;
    return Math.max(1, Math.min(height * steps, Math.round(share * height * steps)));
  });
  return Array.from({ length: height }, (_, row) => {
    const below = (height - 1 - row) * steps;
    return heights.map((each) => levels[Math.max(0, Math.min(steps, each - below))]).join('');
  });
}

function columnsOf(series: Series, { startMs, endMs, stepMs, width }: PlotOptions): (number | null)[] {
  const points = Math.max(1, Math.ceil((endMs - startMs) / stepMs));
  const count = Math.max(1, Math.min(points, width));
  const columns: (number | null)[] = Array.from({ length: count }, () => null);
  for (const { t, v } of series) {
    const column = Math.floor((Math.floor((Date.parse(t) - startMs) / stepMs) * count) / points);
    if (column >= 0 && column < count) columns[column] = Math.max(columns[column] ?? 0, v);
  }
  // A few wide bars fill the line as well as many narrow ones.
  const times = Math.max(1, Math.floor(width / count));
  return columns.flatMap((value) => Array.from({ length: times }, () => value));
}
