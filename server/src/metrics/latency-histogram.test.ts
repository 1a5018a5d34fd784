import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addHistogram,
  bucketEndMs,
  decodeHistogram,
  encodeHistogram,
  LATENCY_BUCKETS,
  latencyBucket,
  newHistogram,
  quantileMs,
} from './latency-histogram.ts';

const counts = fc
  .array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 2 ** 31 - 1 })), {
    minLength: LATENCY_BUCKETS,
    maxLength: LATENCY_BUCKETS,
  })
  .map((numbers) => Uint32Array.from(numbers));

const of = (...times: number[]) => {
  const histogram = newHistogram();
  for (const ms of times) histogram[latencyBucket(ms)]!++;
  return histogram;
};

describe('a histogram of latencies', () => {
  it.each([0, 0.01, 0.0625, 0.07, 0.5, 1, 1.2, 10, 999, 3000, 4000, 60_000])(
    'puts %d ms into a bucket that ends after it and begins before it',
    (ms) => {
      const bucket = latencyBucket(ms);
      expect(bucketEndMs(bucket)).toBeGreaterThan(ms);
      expect(bucket === 0 ? 0 : bucketEndMs(bucket - 1)).toBeLessThanOrEqual(ms);
    },
  );

  it('loses no answer whose time is not known, or is longer than any', () => {
    expect(latencyBucket(Number.NaN)).toBe(0);
    expect(latencyBucket(1e9)).toBe(LATENCY_BUCKETS - 1);
  });

  it('is read as it was written', () => {
    fc.assert(
      fc.property(counts, (histogram) => {
        expect(decodeHistogram(encodeHistogram(histogram))).toEqual(histogram);
      }),
    );
    expect(encodeHistogram(newHistogram())).toHaveLength(0);
  });

  it('is added up by writing one behind the other', () => {
    fc.assert(
      fc.property(counts, counts, (one, other) => {
        const sum = newHistogram();
        addHistogram(sum, one);
        addHistogram(sum, other);
        const together = Buffer.concat([encodeHistogram(one), encodeHistogram(other)]);
        expect(decodeHistogram(together)).toEqual(sum);
      }),
    );
  });

  it('is read to its end, whatever was stored', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(decodeHistogram(bytes)).toHaveLength(LATENCY_BUCKETS);
      }),
    );
  });

  it('tells percentiles to a fifth', () => {
    const times = Array.from({ length: 1000 }, (_, index) => index + 1);
    const histogram = of(...times);
    for (const part of [0.5, 0.95, 0.99]) {
      const exact = part * 1000;
      expect(quantileMs(histogram, part)).toBeGreaterThan(exact / 1.2);
      expect(quantileMs(histogram, part)).toBeLessThan(exact * 1.2);
    }
  });

  it('grows with the part that is asked for, and stays within what there is', () => {
    fc.assert(
      fc.property(counts, fc.double({ min: 0, max: 1, noNaN: true }), (histogram, part) => {
        const [ms, all] = [quantileMs(histogram, part), quantileMs(histogram, 1)];
        fc.pre(histogram.some((count) => count > 0));
        expect(ms).toBeLessThanOrEqual(all!);
        expect(ms).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('knows nothing of nothing', () => {
    expect(quantileMs(newHistogram(), 0.95)).toBeNull();
    expect(quantileMs(of(100), 0.5)).toBeGreaterThan(80);
  });
});
