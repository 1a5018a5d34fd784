import './plot.css';
import type { MetricRange } from '@lilac/contract/states';
import { useId, useState } from 'react';
import { PlotCanvas } from './canvas.tsx';
import type { PlotBand, PlotSeries } from './data.ts';
import { PlotTable } from './table.tsx';
import { type Hovered, sayMoment, type Told, toldOf } from './told.ts';

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

/**
 * What was measured over time: lines to see, the value under the pointer or where the keyboard is, and a table for
 * whoever does not see them.
 */
export function Plot({ title, series, empty = 'Nothing was measured yet.', height = 160, ...look }: PlotProps) {
  const id = useId();
  const [hovered, setHovered] = useState<Hovered | null>(null);
  // Said at all times: what comes and goes would move the lines below it.
  const told = toldOf(series, hovered);
  const isEmpty = series.every(({ points }) => points.every(([, v]) => v === null));
  return (
    <figure className="plot" aria-labelledby={id}>
      <figcaption className="plot-head">
        <strong id={id}>{title}</strong>
        <span className="meta" aria-hidden="true">
          {told.t !== undefined && sayMoment(told.t)}
        </span>
        <Legend told={told} />
      </figcaption>
      {isEmpty ? (
        <p className="plot-empty meta" style={{ minHeight: height }}>
          {empty}
        </p>
      ) : (
        <>
          <PlotCanvas {...look} title={title} series={series} told={told} height={height} onHover={setHovered} />
          <PlotTable title={title} series={series} />
        </>
      )}
    </figure>
  );
}

function Legend({ told: { values } }: { told: Told }) {
  return (
    <span className="plot-legend" aria-hidden="true">
      {values.map(({ label, text }, index) => (
        <span key={label} className={`plot-label plot-colour-${index % 4}`}>
          {values.length > 1 && <span className="meta">{label} </span>}
          {text ?? '–'}
        </span>
      ))}
    </span>
  );
}
