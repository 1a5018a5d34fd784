export interface MetricPoint {
  t: string;
  v: number;
}

interface MetricSpan {
  startTime: string;
  endTime: string;
  stepSeconds: number;
}

/** What is counted is written down every twenty seconds, so of a step that has just ended some may be missing. */
const WRITTEN_MS = 30_000;

/** From when on a sum is not the whole one, in milliseconds: its step is running, or was until just now. */
export function unfinishedFrom({ endTime, stepSeconds }: Pick<MetricSpan, 'endTime' | 'stepSeconds'>): number {
  const stepMs = stepSeconds * 1000;
  return Math.floor((Date.parse(endTime) - WRITTEN_MS) / stepMs) * stepMs;
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
