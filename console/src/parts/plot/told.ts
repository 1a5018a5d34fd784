import { formatQuantity } from '../../lib/metric-format.ts';
import { isUnfinished, lastPoint, type PlotSeries } from './data.ts';

/** A moment that somebody points at, and what was measured then. */
export interface Hovered {
  t: number;
  values: readonly (number | null | undefined)[];
}

/** What a plot says of itself: of where somebody points, else of the newest that is whole. */
export interface Told {
  t: number | undefined;
  values: readonly { label: string; text: string | null }[];
}

export function toldOf(series: readonly PlotSeries[], hovered: Hovered | null): Told {
  const newest = series.map(lastPoint);
  const moments = newest.flatMap((point) => point?.[0] ?? []);
  return {
    t: hovered?.t ?? (moments.length === 0 ? undefined : Math.max(...moments)),
    values: series.map((each, index) => {
      const [t, value] = hovered ? [hovered.t, hovered.values[index]] : (newest[index] ?? []);
      return { label: each.label, text: typeof value === 'number' ? sayValue(each, t!, value) : null };
    }),
  };
}

function sayValue(series: PlotSeries, t: number, value: number): string {
  return formatQuantity(value, series.unit) + (isUnfinished(series, t) ? ' so far' : '');
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
