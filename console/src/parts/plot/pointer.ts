import uPlot from 'uplot';
import type { PlotColumns } from './data.ts';
import { measuredIn } from './walk.ts';

/** Plots of this name, all of a page, point at the same moment. */
export const TOGETHER = 'lilac';

const HIDDEN = { left: -10, top: -10 };

/** The moments that the keyboard comes by, in seconds. */
export function momentsOf(plot: uPlot): readonly number[] {
  const { min, max } = plot.scales['x']!;
  return measuredIn(plot.data as PlotColumns, { from: min ?? 0, to: max ?? 0 });
}

export function pointedAt({ cursor: { idx }, data }: uPlot): number | null {
  return idx === null || idx === undefined ? null : (data[0][idx] ?? null);
}

/** All plots of the page, as a pointer does; null hides it. */
export function pointAllAt(t: number | null): void {
  for (const plot of uPlot.sync(TOGETHER).plots) pointAt(plot, t);
}

/** Null hides it. What has gone out of sight meanwhile leaves it at the first that is in sight. */
export function pointAt(plot: uPlot, t: number | null): void {
  plot.setCursor(t === null ? HIDDEN : { left: Math.max(0, plot.valToPos(t, 'x')), top: 0 });
}
