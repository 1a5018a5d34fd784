import { z } from 'zod';

const point = z.object({ t: z.string(), v: z.number() });

export const seriesSummary = z.object({
  points_measured: z.int(),
  last: z.number().nullable(),
  lowest: z.number().nullable(),
  highest: z.number().nullable(),
  mean: z.number().nullable(),
  total: z.number().describe('Means something for counts and bytes only.'),
  points: z.array(point).optional(),
});

type Point = z.output<typeof point>;

const MAX_POINTS = 30;

/** A series in a few numbers: what is read by an assistant need not be drawn. */
export function summariseSeries(points: readonly Point[], withPoints: boolean): z.output<typeof seriesSummary> {
  const values = points.map(({ v }) => v);
  const total = values.reduce((sum, value) => sum + value, 0);
  const isEmpty = values.length === 0;
  return {
    points_measured: values.length,
    last: values.at(-1) ?? null,
    lowest: isEmpty ? null : Math.min(...values),
    highest: isEmpty ? null : Math.max(...values),
    mean: isEmpty ? null : rounded(total / values.length),
    total: rounded(total),
    ...(withPoints && { points: thinned(points) }),
  };
}

/** The newest always stays. */
function thinned(points: readonly Point[]): Point[] {
  const step = Math.ceil(points.length / MAX_POINTS);
  return points.filter((_, index) => (points.length - 1 - index) % step === 0);
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
