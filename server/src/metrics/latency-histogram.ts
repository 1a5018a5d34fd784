/**
 * Four buckets to each doubling, each a fifth wider than the one before, from a sixteenth of a millisecond to a minute.
 */
export const LATENCY_BUCKETS = 80;
const BUCKETS_PER_DOUBLING = 4;
const DOUBLINGS_BELOW_ONE = 4;
const SHORTEST_MS = 1 / 2 ** DOUBLINGS_BELOW_ONE;
const MORE = 0x80;

/** How many answers took how long, by `latencyBucket`. */
export type Histogram = Uint32Array;

export const newHistogram = (): Histogram => new Uint32Array(LATENCY_BUCKETS);

export function latencyBucket(ms: number): number {
  if (!(ms >= SHORTEST_MS)) return 0;
  return Math.min(LATENCY_BUCKETS - 1, (BUCKETS_PER_DOUBLING * (Math.log2(ms) + DOUBLINGS_BELOW_ONE)) | 0);
}

/** What is in the bucket took less than this. Into the last one everything longer was put as well. */
export function bucketEndMs(bucket: number): number {
  return 2 ** ((bucket + 1) / BUCKETS_PER_DOUBLING - DOUBLINGS_BELOW_ONE);
}

const bucketStartMs = (bucket: number): number => (bucket === 0 ? 0 : bucketEndMs(bucket - 1));

export function addHistogram(sum: Histogram, added: Readonly<Histogram>): void {
  for (let bucket = 0; bucket < LATENCY_BUCKETS; bucket++) sum[bucket]! += added[bucket]!;
}

/**
 * For each bucket that has something: its number, and how many, seven bits a byte, the lowest first. Two of
 * them one after the other are their sum, so that the store can add them up without knowing what they are.
 */
export function encodeHistogram(histogram: Readonly<Histogram>): Buffer {
  const bytes: number[] = [];
  for (let bucket = 0; bucket < LATENCY_BUCKETS; bucket++) {
    let count = histogram[bucket]!;
    if (count === 0) continue;
    bytes.push(bucket);
    for (; count >= MORE; count = Math.floor(count / MORE)) bytes.push((count % MORE) + MORE);
    bytes.push(count);
  }
  return Buffer.from(bytes);
}

/** A bucket that we do not know is none of ours: whoever wrote it could tell longer times apart. */
export function decodeHistogram(bytes: Uint8Array): Histogram {
  const histogram = newHistogram();
  for (let at = 0; at < bytes.length;) {
    const bucket = Math.min(bytes[at++]!, LATENCY_BUCKETS - 1);
    let unit = 1;
    for (; bytes[at]! >= MORE; unit *= MORE) histogram[bucket]! += (bytes[at++]! - MORE) * unit;
    histogram[bucket]! += (bytes[at++] ?? 0) * unit;
  }
  return histogram;
}

/**
 * How long the given part of the answers took at most: where inside its bucket is estimated, as if they were spread
 * evenly there. Null when there are none.
 */
export function quantileMs(histogram: Readonly<Histogram>, part: number): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const wanted = part * total;
  let before = 0;
  let bucket = 0;
  while (histogram[bucket] === 0 || before + histogram[bucket]! < wanted) before += histogram[bucket++]!;
  const start = bucketStartMs(bucket);
  return start + (bucketEndMs(bucket) - start) * Math.max(0, (wanted - before) / histogram[bucket]!);
}
