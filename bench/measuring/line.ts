/** One thing that was measured, beside its peer where there is one, and what is promised of it. */
export interface Measurement {
  /** What was measured, without a colon. */
  name: string;
  unit: string;
  ours: number;
  /** A peer's, or the part of ours that is not the platform's; left out where there is neither. */
  theirs?: number;
  /** Where rounds took turns, the median of their own ratios; else it is that of the two figures. */
  ratio?: number;
  /** Likewise, how much ours is more than theirs. */
  more?: number;
  /** Left out where nothing is promised. */
  bar?: Bar;
}

export interface Bar {
  of: 'ours' | 'ratio' | 'more';
  atMost?: number;
  atLeast?: number;
}

export type Verdict = 'ok' | 'short' | 'no bar' | 'not measured';

/** A row of the table of all benchmarks. */
export interface Line {
  bench: string;
  name: string;
  ours: string;
  theirs: string;
  ratio: string;
  bar: string;
  verdict: Verdict;
  /** What the bar is about, or is told where there is none; null: it is no number. */
  value: number | null;
  /** The bar is about what may not happen at all. */
  mayNever: boolean;
  /** What to do where it could not be measured. */
  advice?: string;
}

const NOTHING = '-';

export function lineOf(bench: string, measured: Measurement): Line {
  const { name, unit, ours, theirs, bar } = measured;
  const withUnit = (value: number) => `${figure(value)} ${unit}`.trim();
  const isDifference = bar?.of === 'more' && theirs !== undefined;
  const relation = isDifference ? `+${withUnit(moreOf(measured))}` : figure(ratioOf(measured));
  return {
    bench,
    name,
    ours: withUnit(ours),
    theirs: theirs === undefined ? NOTHING : withUnit(theirs),
    ratio: theirs === undefined ? NOTHING : relation.replace('+-', '-'),
    bar: bar === undefined ? NOTHING : textOfBar(bar, unit),
    verdict: bar === undefined ? 'no bar' : isMet(measured, bar) ? 'ok' : 'short',
    value: finite(bar === undefined ? (measured.ratio ?? ours) : valueOf(measured, bar)),
    mayNever: bar?.atMost === 0,
  };
}

/** For what there is no program here, or what broke off. */
export function missingLine(bench: string, name: string, advice: string): Line {
  const cells = { ours: NOTHING, theirs: NOTHING, ratio: NOTHING, bar: NOTHING };
  return { bench, name, ...cells, verdict: 'not measured', value: null, mayNever: false, advice };
}

/** `name: ours, theirs, ratio, bar, ok|short` */
export function textOf({ bench, name, ours, theirs, ratio, bar, verdict, advice }: Line): string {
  const line = `${bench}, ${name}: ${[ours, theirs, ratio, bar, verdict].join(', ')}`;
  return advice === undefined ? line : `${line} (${advice})`;
}

export function isBad({ verdict }: Line): boolean {
  return verdict === 'short' || verdict === 'not measured';
}

/** What is not a number meets no bar. */
function isMet(measured: Measurement, bar: Bar): boolean {
  const { atMost, atLeast } = bar;
  const value = valueOf(measured, bar);
  return value <= (atMost ?? Infinity) && value >= (atLeast ?? -Infinity);
}

function valueOf(measured: Measurement, { of }: Bar): number {
  return { ours: () => measured.ours, ratio: () => ratioOf(measured), more: () => moreOf(measured) }[of]();
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function ratioOf({ ratio, ours, theirs }: Measurement): number {
  return ratio ?? ours / (theirs ?? NaN);
}

function moreOf({ more, ours, theirs }: Measurement): number {
  return more ?? ours - (theirs ?? NaN);
}

function textOfBar({ of, atMost, atLeast }: Bar, unit: string): string {
  const limit = figure((atMost ?? atLeast)!);
  const text = `${atMost === undefined ? 'at least' : 'at most'} ${limit}`;
  if (of === 'ratio') return text;
  return `${text} ${unit}`.trim() + (of === 'more' ? ' more' : '');
}

/** As many places as tell something, and no comma, which stands between figures. */
function figure(value: number): string {
  if (Number.isInteger(value)) return String(value);
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}
