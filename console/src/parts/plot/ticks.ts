import type { Unit } from '../../lib/metric-format.ts';

/** More would stand too close in the height that plots have. */
const MOST_STEPS = 4;
/** So that no line runs along the edge. */
const ROOM = 1.05;

/** The marks of the upright axis, from zero on. The last stands above the data, or below the most there can be. */
export function ticksOf(highest: number | null, { unit, most }: { unit: Unit; most?: number | undefined }): number[] {
  const top = most ?? Math.max((highest ?? 0) * ROOM, isBytes(unit) ? 1024 : 1);
  const step = stepOf(top / MOST_STEPS, unit);
  const count = most === undefined ? Math.ceil(top / step) : Math.floor(top / step);
  // Fractions are multiples of round numbers too, which adding them up would not leave them.
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/** Round numbers: of bytes, those of 1,024; of what is counted, whole ones. */
function stepOf(least: number, unit: Unit): number {
  if (isBytes(unit)) return 2 ** Math.ceil(Math.log2(least));
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= least * (1 - 1e-9))!;
  return unit === 'count' || unit === 'average' ? Math.max(1, step) : step;
}

const isBytes = (unit: Unit) => unit === 'bytes' || unit === 'bytesPerSecond';
