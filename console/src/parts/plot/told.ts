import { formatQuantity } from '../../lib/metric-format.ts';
import { lastMoment, lastValue, type PlotSeries } from './data.ts';

/** A moment that somebody points at, and what was measured then. */
export interface Hovered {
  t: number;
  values: readonly (number | null | undefined)[];
}

/** What a plot says of itself: of where somebody points, else of the newest. */
export interface Told {
  t: number | undefined;
  values: readonly { label: string; text: string | null }[];
}

export function toldOf(series: readonly PlotSeries[], hovered: Hovered | null): Told {
  return {
    t: hovered?.t ?? lastMoment(series),
    values: series.map(({ label, unit, points }, index) => {
      const value = hovered ? hovered.values[index] : lastValue(points);
      return { label, text: typeof value === 'number' ? formatQuantity(value, unit) : null };
    }),
  };
}

const moments = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

export const sayMoment = (t: number): string => moments.format(t);

/** For who does not see it: "17 Nov, 14:05: p50 18 ms, p99 not measured". */
export function sayTold({ t, values }: Told): string {
  const said = values.map(({ label, text }) => {
    const value = text ?? 'not measured';
    return values.length > 1 ? `${label} ${value}` : value;
  });
  return [...(t === undefined ? [] : [sayMoment(t)]), said.join(', ')].join(': ');
}
