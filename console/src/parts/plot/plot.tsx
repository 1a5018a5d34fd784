import './plot.css';
import type { MetricRange } from '@lilac/contract/states';
import { useId, useState } from 'react';
import { formatQuantity } from '../../lib/metric-format.ts';
import { PlotCanvas } from './canvas.tsx';
import { lastMoment, lastValue, type PlotBand, type PlotSeries } from './data.ts';
import { PlotTable } from './table.tsx';

interface PlotProps {
  title: string;
  series: readonly PlotSeries[];
  range: MetricRange;
  /** The end of what can be: the axis goes up to it. */
  most?: number;
  /** Shaded. */
  bands?: readonly PlotBand[];
  height?: number;
  /** Said where there is nothing to draw. */
  empty?: string;
}

const moments = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** What was measured over time: lines to see, the value under the pointer, and a table for whoever does not see them. */
export function Plot({ title, series, empty = 'Nothing was measured yet.', height = 160, ...look }: PlotProps) {
  const id = useId();
  const [hovered, setHovered] = useState<Hovered | null>(null);
  // Said at all times: what comes and goes would move the lines below it.
  const moment = hovered?.t ?? lastMoment(series);
  const isEmpty = series.every(({ points }) => points.every(([, v]) => v === null));
  return (
    <figure className="plot" aria-labelledby={id}>
      <figcaption className="plot-head">
        <strong id={id}>{title}</strong>
        <span className="meta" aria-hidden="true">
          {moment !== undefined && moments.format(moment)}
        </span>
        <Legend series={series} hovered={hovered} />
      </figcaption>
      {isEmpty ? (
        <p className="plot-empty meta" style={{ minHeight: height }}>
          {empty}
        </p>
      ) : (
        <>
          <PlotCanvas {...look} series={series} height={height} onHover={setHovered} />
          <PlotTable title={title} series={series} />
        </>
      )}
    </figure>
  );
}

export interface Hovered {
  t: number;
  values: readonly (number | null | undefined)[];
}

/** The value under the pointer, else the newest. */
function Legend({ series, hovered }: { series: readonly PlotSeries[]; hovered: Hovered | null }) {
  return (
    <span className="plot-legend" aria-hidden="true">
      {series.map(({ label, unit, points }, index) => {
        const value = hovered ? hovered.values[index] : lastValue(points);
        return (
          <span key={label} className={`plot-label plot-colour-${index % 4}`}>
            {series.length > 1 && <span className="meta">{label} </span>}
            {typeof value === 'number' ? formatQuantity(value, unit) : '–'}
          </span>
        );
      })}
    </span>
  );
}
