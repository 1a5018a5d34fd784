import { describe, expect, it } from 'vitest';
import { Vitals } from './vitals.ts';

describe('vitals', () => {
  it('are one series for a name and its labels, whoever asks and in whatever order labels are given', () => {
    const vitals = new Vitals();
    vitals.counter('lilac_a_total', 'A.', { one: '1', two: '2' }).value += 2;
    vitals.counter('lilac_a_total', 'A.', { two: '2', one: '1' }).value += 3;
    vitals.counter('lilac_a_total', 'A.', { one: '1', two: 'other' }).value += 1;
    expect(vitals.snapshot()).toEqual([
      {
        name: 'lilac_a_total',
        kind: 'counter',
        help: 'A.',
        samples: [
          { labels: { one: '1', two: '2' }, value: 5 },
          { labels: { one: '1', two: 'other' }, value: 1 },
        ],
      },
    ]);
  });

  it('ask for what is read only when they are written down', () => {
    const vitals = new Vitals();
    let now = 1;
    vitals.read('gauge', 'lilac_now', 'Now.', () => now);
    now = 7;
    expect(vitals.snapshot()[0]!.samples).toEqual([{ labels: {}, value: 7 }]);
  });

  it('put an observation into the first bucket that it fits into, its bound included', () => {
    const vitals = new Vitals();
    const histogram = vitals.histogram('lilac_seconds', 'Seconds.', [0.1, 1]);
    for (const value of [0.05, 0.1, 0.5, 3]) histogram.observe(value);
    const [sample] = vitals.snapshot()[0]!.samples;
    expect(sample).toMatchObject({ buckets: { bounds: [0.1, 1], counts: [2, 1, 1] } });
    expect(sample!.value).toBeCloseTo(3.65);
    expect(vitals.histogram('lilac_seconds', 'Seconds.', [0.1, 1])).toBe(histogram);
  });

  it('refuse names that Prometheus would misread, and one name for two kinds', () => {
    const vitals = new Vitals();
    expect(() => vitals.counter('lilac_requests', '')).toThrow(/_total/);
    expect(() => vitals.gauge('lilac_requests_total', '')).toThrow(/_total/);
    expect(() => vitals.gauge('Lilac-requests', '')).toThrow(/no name/);
    expect(() => vitals.gauge('lilac_requests', '', { 'a-b': '' })).toThrow(/no name/);
    vitals.gauge('lilac_things', '');
    expect(() => vitals.histogram('lilac_things', '', [1])).toThrow(/gauge already/);
  });
});
