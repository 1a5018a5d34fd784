import type { ExchangeOutcome } from './gate.ts';

/** Four buckets to each doubling, from a sixteenth of a millisecond to some 3.4 seconds. */
export const LATENCY_BUCKETS = 64;
const BUCKETS_PER_DOUBLING = 4;
const DOUBLINGS_BELOW_ONE = 4;
const SHORTEST_MS = 1 / 2 ** DOUBLINGS_BELOW_ONE;

/** What one environment has done since the edge started. Numbers only grow, so that readers take differences. */
export class Counters {
  requests = 0;
  /** By the first digit of the status; the first is for clients that were gone before they were answered. */
  readonly answers: [gone: number, number, number, number, number, number] = [0, 0, 0, 0, 0, 0];
  bytesIn = 0;
  bytesOut = 0;
  #latencies: Uint32Array | null = null;

  /** How many answers took how long, by `latencyBucket`; null before the first. */
  get latencies(): Readonly<Uint32Array> | null {
    return this.#latencies;
  }

  note({ status, ms, bytesIn, bytesOut }: ExchangeOutcome): void {
    this.noteStatus(status);
    this.bytesIn += bytesIn;
    this.bytesOut += bytesOut;
    // Most environments sleep most of the time: they need no histogram.
    this.#latencies ??= new Uint32Array(LATENCY_BUCKETS);
    this.#latencies[latencyBucket(ms)]!++;
  }

  /** An answer that no instance gave. */
  noteStatus(status: number): void {
    const digit = status < 100 || status > 599 ? 0 : (status / 100) | 0;
    this.answers[digit]!++;
  }
}

export function latencyBucket(ms: number): number {
  if (!(ms >= SHORTEST_MS)) return 0;
  return Math.min(LATENCY_BUCKETS - 1, (BUCKETS_PER_DOUBLING * (Math.log2(ms) + DOUBLINGS_BELOW_ONE)) | 0);
}

/** What is in the bucket took less than this; the last one has no end. */
export function bucketEndMs(bucket: number): number {
  if (bucket === LATENCY_BUCKETS - 1) return Infinity;
  return 2 ** ((bucket + 1) / BUCKETS_PER_DOUBLING - DOUBLINGS_BELOW_ONE);
}
