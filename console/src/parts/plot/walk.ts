import type { PlotColumns } from './data.ts';

const PAGE = 10;

/** As a slider has them. */
const steps: Record<string, number> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -PAGE,
  PageUp: PAGE,
  Home: -Infinity,
  End: Infinity,
};

/** The moments at which anything was measured, of those in sight. */
export function measuredIn(
  [moments, ...columns]: PlotColumns,
  { from, to }: { from: number; to: number },
): readonly number[] {
  return moments.filter(
    (t, index) => t >= from && t <= to && columns.some((column) => typeof column[index] === 'number'),
  );
}

/**
 * The moment that a key leads to, from one that is pointed at; from none it goes on from the newest. Null: to none
 * again. Undefined: the key does nothing here.
 */
export function momentAfter(key: string, measured: readonly number[], from: number | null): number | null | undefined {
  if (key === 'Escape') return from === null ? undefined : null;
  const step = steps[key];
  if (step === undefined) return undefined;
  const last = measured.length - 1;
  const at = from === null ? last : step < 0 ? firstFrom(measured, from) : measured.findLastIndex((t) => t <= from);
  return measured[Math.min(last, Math.max(0, at + step))];
}

/** A pointer may have been between two of them. */
function firstFrom(measured: readonly number[], from: number): number {
  const found = measured.findIndex((t) => t >= from);
  return found < 0 ? measured.length : found;
}
