import type { MetricRange } from '@lilac/contract/states';
import uPlot from 'uplot';
import { formatQuantity } from '../../lib/metric-format.ts';
import { loneIndexes, type PlotBand, type PlotColumns, type PlotSeries, rangeMs } from './data.ts';
import { pointAt, TOGETHER } from './pointer.ts';
import { ticksOf } from './ticks.ts';
import type { Hovered } from './told.ts';

interface PlotLook {
  /** Where it is drawn: its colours are those of this place. */
  element: HTMLElement;
  series: readonly PlotSeries[];
  range: MetricRange;
  most: number | undefined;
  height: number;
  bands: () => readonly PlotBand[];
  /** From when on the sums of a series are not whole, in milliseconds. */
  unfinishedFrom: (index: number) => number | undefined;
  /** The moment that the keyboard has led to, in seconds. */
  chosen: () => number | null;
  onHover: (hovered: Hovered | null) => void;
}

const lines = ['--accent', '--good', '--warning', '--bad'] as const;

export function plotOptions({ element, series, range, most, height, ...told }: PlotLook): uPlot.Options {
  const { bands, unfinishedFrom, chosen, onHover } = told;
  const colours = lines.map((name) => colourOf(element, name));
  const axis = { stroke: colourOf(element, '--ink-soft'), font: '12px system-ui, sans-serif' };
  const grid = { stroke: colourOf(element, '--line'), width: 1 };
  const unit = series[0]?.unit ?? 'count';
  return {
    width: element.clientWidth,
    height,
    // Half of a time of day has room beside the last moment.
    padding: [8, 20, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 }, sync: { key: TOGETHER } },
    scales: {
      x: { time: true, range: () => [(Date.now() - rangeMs[range]) / 1000, Date.now() / 1000] },
      y: { range: (_plot, _min, max) => [0, most ?? ticksOf(max, { unit }).at(-1)!] },
    },
    axes: [
      { ...axis, grid: { show: false }, ticks: { ...grid, size: 4 }, size: 30, space: 72, values: timeLabels },
      {
        ...axis,
        grid,
        ticks: { show: false },
        size: 72,
        values: (_plot, at) => at.map((v) => formatQuantity(v, unit)),
        // The scale ends with a mark, so what it ends with gives the same marks again.
        splits: (_plot, _axis, _min, max) => ticksOf(null, { unit, most: max }),
      },
    ],
    series: [
      {},
      ...series.map((each, index) =>
        seriesOf(each, {
          colour: colours[index % lines.length]!,
          isAlone: series.length === 1,
          unfinishedFrom: () => unfinishedFrom(index),
        }),
      ),
    ],
    hooks: {
      drawClear: [(plot) => shade(plot, bands(), colourOf(element, '--line-strong'))],
      setCursor: [(plot) => onHover(hoveredOf(plot))],
      // Time goes on, and the lines with it: the keyboard stays at its moment.
      draw: [(plot) => chosen() !== null && pointAt(plot, chosen())],
    },
  };
}

interface SeriesLook {
  colour: string;
  isAlone: boolean;
  unfinishedFrom: () => number | undefined;
}

function seriesOf({ label, look }: PlotSeries, { colour, isAlone, unfinishedFrom }: SeriesLook): uPlot.Series {
  // A bar stands for its whole step; a line leads to its beginning from that of the one before.
  const paint = (percent: number) => (plot: uPlot) =>
    palerFrom(plot, { colour, percent, from: look === 'bars' ? unfinishedFrom() : wholeUntil(plot, unfinishedFrom()) });
  return {
    label,
    stroke: paint(100),
    width: 1.75,
    ...(isAlone && { fill: paint(look === 'bars' ? 55 : 14) }),
    ...(look === 'bars' && { width: 0, paths: uPlot.paths.bars!({ size: [0.8, 24], align: 1 }) }),
    ...(look === 'steps' && { paths: uPlot.paths.stepped!({ align: 1 }) }),
    points: {
      show: false,
      size: 4,
      stroke: colour,
      fill: colour,
      ...(look !== 'bars' && { filter: (plot, index) => loneIndexes(plot.data[index] as (number | null)[]) }),
    },
    spanGaps: false,
  };
}

/** A sum that is not whole yet must not look as if less had come: it is drawn in a third of the colour. */
function palerFrom(
  plot: uPlot,
  { colour, percent, from }: { colour: string; percent: number; from: number | undefined },
): CanvasGradient | string {
  const full = mixed(colour, percent);
  if (from === undefined) return full;
  const { left, width } = plot.bbox;
  const part = (plot.valToPos(from / 1000, 'x', true) - left) / width;
  if (part >= 1) return full;
  const [pale, at] = [mixed(colour, percent / 3), Math.max(0, part)];
  const gradient = plot.ctx.createLinearGradient(left, 0, left + width, 0);
  for (const [offset, each] of [
    [0, full],
    [at, full],
    [at, pale],
    [1, pale],
  ] as const)
    gradient.addColorStop(offset, each);
  return gradient;
}

/** The last moment before that one, in milliseconds. */
function wholeUntil({ data }: uPlot, from: number | undefined): number | undefined {
  if (from === undefined) return undefined;
  const [moments] = data as PlotColumns;
  return (moments.findLast((t) => t * 1000 < from) ?? 0) * 1000;
}

const mixed = (colour: string, percent: number): string => `color-mix(in srgb, ${colour} ${percent}%, transparent)`;

/** However short it was, that it was must be seen. */
const LEAST_BAND_PX = 3;
/** From one line of the hatching to the next. */
const HATCH_PX = 6;

/** Hatched, since what is drawn over it has to be seen too. */
function shade(plot: uPlot, bands: readonly PlotBand[], colour: string): void {
  const { ctx } = plot;
  const { left, top, width, height } = plot.bbox;
  const scale = devicePixelRatio;
  for (const { from, to } of bands) {
    const [begun, over] = [from, to].map((ms) => plot.valToPos(ms / 1000, 'x', true)) as [number, number];
    const start = Math.max(left, begun);
    const end = Math.min(left + width, Math.max(start + LEAST_BAND_PX * scale, over));
    if (end <= start || over <= left) continue;
    ctx.save();
    ctx.beginPath();
    ctx.rect(start, top, end - start, height);
    ctx.clip();
    ctx.strokeStyle = colour;
    ctx.lineWidth = scale;
    ctx.beginPath();
    // The same lines wherever a band begins.
    const step = HATCH_PX * scale;
    for (let x = Math.floor((start - height) / step) * step; x < end; x += step) {
      ctx.moveTo(x, top + height);
      ctx.lineTo(x + height, top);
    }
    ctx.stroke();
    ctx.fillStyle = colour;
    ctx.fillRect(start, top + height - LEAST_BAND_PX * scale, end - start, LEAST_BAND_PX * scale);
    ctx.restore();
  }
}

function hoveredOf({ cursor: { idx }, data }: uPlot): Hovered | null {
  if (idx === null || idx === undefined) return null;
  const [moments, ...columns] = data;
  const t = moments[idx];
  return t === undefined ? null : { t: t * 1000, values: columns.map((column) => column[idx]) };
}

/** Colours of the theme are functions of it, which a canvas does not know: the browser says what comes out. */
function colourOf(element: HTMLElement, variable: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${variable})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** The hour; at midnight, and where a step is a day, the day. */
function timeLabels(_plot: uPlot, at: number[], _axis: number, _space: number, stepSeconds: number): string[] {
  return at.map((seconds) => {
    const moment = new Date(seconds * 1000);
    const isDay = stepSeconds >= 86_400 || (moment.getHours() === 0 && moment.getMinutes() === 0);
    return (isDay ? day : clock).format(moment);
  });
}
