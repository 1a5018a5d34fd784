import { describe, expect, it } from 'vitest';
import { bucketEndMs, Counters, LATENCY_BUCKETS, latencyBucket } from './counters.ts';

describe('the counters of an environment', () => {
  it('add up answers by class, time and size', () => {
    const counters = new Counters();
    counters.note({ status: 200, ms: 1, bytesIn: 10, bytesOut: 100 });
    counters.note({ status: 304, ms: 1, bytesIn: 10, bytesOut: 0 });
    counters.note({ status: 0, ms: 5000, bytesIn: 10, bytesOut: 5 });
    counters.noteStatus(503);
    expect(counters).toMatchObject({ answers: [1, 0, 1, 1, 0, 1], bytesIn: 30, bytesOut: 105 });
    expect(counters.latencies?.[latencyBucket(1)]).toBe(2);
    expect(counters.latencies?.[LATENCY_BUCKETS - 1]).toBe(1);
  });

  it.each([0, 0.01, 0.0625, 0.07, 0.5, 1, 1.2, 10, 999, 3000, 4000, 1e9])(
    'put %d ms into a bucket that ends after it and begins before it',
    (ms) => {
      const bucket = latencyBucket(ms);
      expect(bucketEndMs(bucket)).toBeGreaterThan(ms);
      expect(bucket === 0 ? 0 : bucketEndMs(bucket - 1)).toBeLessThanOrEqual(ms);
    },
  );

  it('lose no answer whose time is not known', () => {
    expect(latencyBucket(Number.NaN)).toBe(0);
  });
});
