import type { MetricName, MetricRange } from '@lilac/contract/states';
import { MINUTE_MS, minuteOf, type TrafficFigures, type UsageFigures } from '../../metrics/minute-row.ts';
import { quantileMs } from '../../metrics/latency-histogram.ts';

const HOUR = 60;

/** How long, and how fine: in minutes. */
const ranges: Record<MetricRange, { minutes: number; step: number }> = {
  '1h': { minutes: HOUR, step: 1 },
  '6h': { minutes: 6 * HOUR, step: 5 },
  '24h': { minutes: 24 * HOUR, step: 15 },
  '7d': { minutes: 7 * 24 * HOUR, step: 2 * HOUR },
};

/** So many steps of so many minutes each, from a minute on; the last one is still running. */
export interface Steps {
  firstMinute: number;
  stepMinutes: number;
  count: number;
}

export function stepsOf(range: MetricRange, nowMs: number): Steps {
  const { minutes, step } = ranges[range];
  const count = minutes / step;
  const running = Math.floor(minuteOf(nowMs) / step);
  return { firstMinute: (running - count + 1) * step, stepMinutes: step, count };
}

export const startOf = ({ firstMinute, stepMinutes }: Steps, step: number): Date =>
  new Date((firstMinute + step * stepMinutes) * MINUTE_MS);

/** Of one step: null where nobody watched, or, of an environment, where there was nothing to see. */
export interface StepFigures {
  traffic: TrafficFigures | null;
  usage: UsageFigures | null;
}

export const NOTHING: StepFigures = { traffic: null, usage: null };

/** One step of an environment, beside what the platform itself knows of that time. Null: it was not measured. */
export type Measure = (own: StepFigures, platform: StepFigures) => number | null;

/** Where an edge watched, nothing is zero. */
const trafficOf =
  (read: (traffic: TrafficFigures) => number): Measure =>
  (own, platform) =>
    platform.traffic && (own.traffic ? read(own.traffic) : 0);

const latencyOf =
  (part: number): Measure =>
  ({ traffic }) => {
    const ms = traffic?.latencies ? quantileMs(traffic.latencies, part) : null;
    return ms && round(ms);
  };

export const measures: Record<MetricName, Measure> = {
  // An instance may have more than its own while it starts.
  cpu: ({ usage }) =>
    usage && usage.cpuAllowedSeconds > 0
      ? round(Math.min(100, (100 * usage.cpuSeconds) / usage.cpuAllowedSeconds))
      : null,
  memory: ({ usage }) => (usage && usage.looks > 0 ? Math.round(usage.memoryBytes) : null),
  requestCount: trafficOf(({ requests }) => requests),
  latency: latencyOf(0.95),
  instanceCount: ({ usage }, platform) =>
    platform.usage && platform.usage.looks > 0 ? round((usage?.instances ?? 0) / platform.usage.looks) : null,
  bandwidthOut: trafficOf(({ bytesOut }) => bytesOut),
  bandwidthIn: trafficOf(({ bytesIn }) => bytesIn),
};

export const percentiles: Record<'p50' | 'p99', Measure> = { p50: latencyOf(0.5), p99: latencyOf(0.99) };

const round = (value: number): number => Math.round(value * 100) / 100;
