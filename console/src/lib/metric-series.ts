export interface MetricPoint {
  t: string;
  v: number;
}

interface MetricSpan {
  startTime: string;
  endTime: string;
  stepSeconds: number;
}

/** Every step of the range, in milliseconds, with its value: null where nothing was measured. */
export function everyStep(
  { startTime, endTime, stepSeconds }: MetricSpan,
  points: readonly MetricPoint[] | undefined,
): [t: number, v: number | null][] {
  const measured = new Map(points?.map(({ t, v }) => [Date.parse(t), v]));
  const steps: [number, number | null][] = [];
  for (let t = Date.parse(startTime); t <= Date.parse(endTime); t += stepSeconds * 1000) {
    steps.push([t, measured.get(t) ?? null]);
  }
  return steps;
}

/** Where it was zero throughout, in milliseconds: each step lasts until the next begins. */
export function zeroBands({ stepSeconds }: MetricSpan, points: readonly MetricPoint[] | undefined) {
  const bands: { from: number; to: number }[] = [];
  for (const { t, v } of points ?? []) {
    if (v !== 0) continue;
    const [from, to] = [Date.parse(t), Date.parse(t) + stepSeconds * 1000];
    const last = bands.at(-1);
    if (last?.to === from) last.to = to;
    else bands.push({ from, to });
  }
  return bands;
}

export function sumOfPoints(points: readonly MetricPoint[] | undefined): number {
  return points?.reduce((sum, { v }) => sum + v, 0) ?? 0;
}

/** Null where nothing was measured. */
export function latestOf(points: readonly MetricPoint[] | undefined): number | null {
  return points?.at(-1)?.v ?? null;
}
