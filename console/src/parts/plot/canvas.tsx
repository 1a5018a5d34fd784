import 'uplot/dist/uPlot.min.css';
import type { MetricRange } from '@lilac/contract/states';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { useTheme } from '../../shell/theme.ts';
import type { Hovered } from './plot.tsx';
import { type PlotBand, type PlotSeries, toColumns } from './data.ts';
import { plotOptions } from './options.ts';
import { useIsDark } from '../use-is-dark.ts';

interface PlotCanvasProps {
  series: readonly PlotSeries[];
  range: MetricRange;
  most?: number | undefined;
  bands?: readonly PlotBand[] | undefined;
  height: number;
  onHover: (hovered: Hovered | null) => void;
}

/** Made anew when what it looks like changes: a canvas keeps its colours. */
export function PlotCanvas(props: PlotCanvasProps) {
  const lines = props.series.map(({ label, unit, look = 'line' }) => `${label} ${unit} ${look}`);
  const look = [useTheme(), useIsDark(), props.range, props.most, props.height, ...lines].join(' ');
  return <Canvas key={look} {...props} />;
}

const noBands: readonly PlotBand[] = [];

/** New numbers only move the lines. */
function Canvas({ series, range, most, bands = noBands, height, onHover }: PlotCanvasProps) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef({ series, bands, onHover });
  useEffect(() => {
    latest.current = { series, bands, onHover };
  });
  useEffect(() => {
    const element = host.current!;
    const { series: drawn } = latest.current;
    const hover = (hovered: Hovered | null) => latest.current.onHover(hovered);
    const shaded = () => latest.current.bands;
    const options = plotOptions({ element, series: drawn, range, most, height, bands: shaded, onHover: hover });
    const made = new uPlot(options, toColumns(drawn), element);
    plot.current = made;
    const watcher = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [range, most, height]);
  useEffect(() => plot.current?.setData(toColumns(series)), [series]);
  return <div ref={host} className="plot-canvas" aria-hidden="true" />;
}
