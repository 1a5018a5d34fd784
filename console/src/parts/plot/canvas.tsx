import 'uplot/dist/uPlot.min.css';
import type { MetricRange } from '@lilac/contract/states';
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { useTheme } from '../../shell/theme.ts';
import { firstMoment, lastMoment, type PlotBand, type PlotSeries, toColumns } from './data.ts';
import { plotOptions } from './options.ts';
import { momentsOf, pointAllAt, pointedAt } from './pointer.ts';
import { type Hovered, sayTold, type Told } from './told.ts';
import { useIsDark } from '../use-is-dark.ts';
import { momentAfter } from './walk.ts';

interface PlotCanvasProps extends DrawnProps {
  title: string;
  told: Told;
}

/**
 * Keys move over what was measured as a pointer does: a slider, which screen readers know how to use, and whose value
 * they say when it changes.
 */
export function PlotCanvas({ title, told, ...drawn }: PlotCanvasProps) {
  const plot = useRef<uPlot | null>(null);
  const chosen = useRef<number | null>(null);
  const choose = (t: number | null) => {
    chosen.current = t;
    pointAllAt(t);
  };
  const begin = () => {
    // Whoever clicks points at something already.
    if (plot.current && pointedAt(plot.current) === null) choose(momentsOf(plot.current).at(-1) ?? null);
  };
  const move = (event: KeyboardEvent) => {
    if (!plot.current || event.altKey || event.ctrlKey || event.metaKey) return;
    const t = momentAfter(event.key, momentsOf(plot.current), pointedAt(plot.current));
    if (t === undefined) return;
    event.preventDefault();
    choose(t);
  };
  const ends = { from: firstMoment(drawn.series) ?? 0, to: lastMoment(drawn.series) ?? 0 };
  return (
    <div
      className="plot-reader"
      role="slider"
      tabIndex={0}
      aria-label={title}
      aria-valuemin={ends.from}
      aria-valuemax={ends.to}
      aria-valuenow={told.t ?? ends.to}
      aria-valuetext={sayTold(told)}
      onFocus={begin}
      onBlur={() => choose(null)}
      onKeyDown={move}
      onPointerMove={() => {
        chosen.current = null;
      }}
    >
      <PlotPicture
        {...drawn}
        chosen={chosen}
        onMade={(made) => {
          plot.current = made;
        }}
      />
    </div>
  );
}

interface DrawnProps {
  series: readonly PlotSeries[];
  range: MetricRange;
  most?: number | undefined;
  bands?: readonly PlotBand[] | undefined;
  height: number;
  onHover: (hovered: Hovered | null) => void;
}

interface PictureProps extends DrawnProps {
  /** Where the keyboard has led to, in seconds. */
  chosen: RefObject<number | null>;
  /** Null when it is gone. */
  onMade: (plot: uPlot | null) => void;
}

/** Made anew when what it looks like changes: a canvas keeps its colours. */
function PlotPicture(props: PictureProps) {
  const lines = props.series.map(({ label, unit, look = 'line' }) => `${label} ${unit} ${look}`);
  const look = [useTheme(), useIsDark(), props.range, props.most, props.height, ...lines].join(' ');
  return <Canvas key={look} {...props} />;
}

const noBands: readonly PlotBand[] = [];

/** New numbers only move the lines. */
function Canvas({ series, range, most, bands = noBands, height, onHover, chosen, onMade }: PictureProps) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef({ series, bands, onHover, onMade });
  useEffect(() => {
    latest.current = { series, bands, onHover, onMade };
  });
  useEffect(() => {
    const element = host.current!;
    const { series: drawn } = latest.current;
    const options = plotOptions({
      element,
      series: drawn,
      range,
      most,
      height,
      bands: () => latest.current.bands,
      unfinishedFrom: (index) => latest.current.series[index]?.unfinishedFrom,
      chosen: () => chosen.current,
      onHover: (hovered) => latest.current.onHover(hovered),
    });
    const made = new uPlot(options, toColumns(drawn), element);
    plot.current = made;
    latest.current.onMade(made);
    const watcher = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      made.destroy();
      plot.current = null;
      latest.current.onMade(null);
    };
  }, [range, most, height, chosen]);
  useEffect(() => plot.current?.setData(toColumns(series)), [series]);
  return <div ref={host} className="plot-canvas" aria-hidden="true" />;
}
