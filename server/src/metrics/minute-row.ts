import { addHistogram, newHistogram, type Histogram } from './latency-histogram.ts';

export const MINUTE_MS = 60_000;
export const MINUTES_PER_QUARTER = 15;
export const MINUTES_PER_DAY = 1440;
export const QUARTERS_PER_DAY = MINUTES_PER_DAY / MINUTES_PER_QUARTER;

/** Of an instant: minutes since 1970. */
export const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS);
export const quarterOf = (minute: number): number => Math.floor(minute / MINUTES_PER_QUARTER);

/** Stands for the platform itself where an environment's id is expected. */
export const PLATFORM = '';

/** What edges count. */
export interface TrafficFigures {
  requests: number;
  bytesIn: number;
  bytesOut: number;
  latencies: Readonly<Histogram> | null;
}

/** What a worker sees, added up over so many looks; of memory, the most at one look. */
export interface UsageFigures {
  looks: number;
  instances: number;
  memoryBytes: number;
  /** What was used, and what could have been. */
  cpuSeconds: number;
  cpuAllowedSeconds: number;
}

/** What one process knows of an environment's minute. */
export interface MinuteRow {
  readonly environmentId: string;
  readonly minute: number;
  readonly source: string;
  traffic: TrafficFigures | null;
  usage: UsageFigures | null;
}

export function addTraffic(one: TrafficFigures | null, other: TrafficFigures): TrafficFigures {
  return {
    requests: (one?.requests ?? 0) + other.requests,
    bytesIn: (one?.bytesIn ?? 0) + other.bytesIn,
    bytesOut: (one?.bytesOut ?? 0) + other.bytesOut,
    latencies: addLatencies(one?.latencies ?? null, other.latencies),
  };
}

/** Of one look and another. A mean would hide what memory was like just before there was too little of it. */
export function addUsage(one: UsageFigures | null, other: UsageFigures): UsageFigures {
  if (one === null) return { ...other };
  return {
    looks: one.looks + other.looks,
    instances: one.instances + other.instances,
    memoryBytes: Math.max(one.memoryBytes, other.memoryBytes),
    cpuSeconds: one.cpuSeconds + other.cpuSeconds,
    cpuAllowedSeconds: one.cpuAllowedSeconds + other.cpuAllowedSeconds,
  };
}

/** The other's is its giver's, who goes on counting in it. */
function addLatencies(one: Readonly<Histogram> | null, other: Readonly<Histogram> | null): Histogram | null {
  const sum = one ?? (other && newHistogram());
  if (sum && other) addHistogram(sum, other);
  return sum;
}
