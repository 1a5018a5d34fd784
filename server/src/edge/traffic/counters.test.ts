import { describe, expect, it } from 'vitest';
import { latencyBucket } from '../../metrics/latency-histogram.ts';
import { Counters } from './counters.ts';
import { Traffic } from './traffic.ts';

describe('the counters of an environment', () => {
  it('add up answers by class, time and size', () => {
    const counters = new Counters('env_1', () => {});
    counters.noteAtOnce(200, 10, 100);
    counters.noteAnswer(304, 1);
    counters.noteAnswer(101, 1);
    counters.noteAnswer(999, 1);
    counters.noteGone(3000);
    counters.noteBytes(20, 5);
    expect(counters).toMatchObject({ answers: [2, 1, 1, 1, 0, 0], requests: 5, bytesIn: 30, bytesOut: 105 });
    expect(counters.latencies?.[latencyBucket(1)]).toBe(3);
    expect(counters.latencies?.[0]).toBe(1);
    expect(counters.latencies?.[latencyBucket(3000)]).toBe(1);
  });

  it('tell once that there is something to take, until they are emptied', () => {
    const told: Counters[] = [];
    const counters = new Counters('env_1', (changed) => told.push(changed));
    counters.noteGone(1);
    counters.noteBytes(1, 1);
    expect(told).toEqual([counters]);
    counters.empty();
    expect(counters).toMatchObject({ requests: 0, bytesIn: 0, bytesOut: 0 });
    counters.noteBytes(0, 1);
    expect(told).toHaveLength(2);
  });
});

describe('the traffic of an edge', () => {
  it('shows what was counted since the last time only, and sums up all of it', () => {
    const traffic = new Traffic();
    const take = () => {
      const taken: [string, number, number][] = [];
      traffic.drain(({ environmentId, requests, bytesOut }) => taken.push([environmentId, requests, bytesOut]));
      return taken;
    };
    traffic.of('env_1').noteAtOnce(200, 1, 10);
    traffic.of('env_1').noteAtOnce(503, 1, 10);
    traffic.of('env_2');
    expect(traffic.totals()).toEqual({ answers: [0, 0, 1, 0, 0, 1], bytesIn: 2, bytesOut: 20 });
    expect(take()).toEqual([['env_1', 2, 20]]);
    expect(take()).toEqual([]);
    traffic.of('env_1').noteAtOnce(200, 1, 10);
    expect(traffic.totals()).toEqual({ answers: [0, 0, 2, 0, 0, 1], bytesIn: 3, bytesOut: 30 });
  });

  it('loses nothing of a request that goes on after its environment was forgotten', () => {
    const traffic = new Traffic();
    const long = traffic.of('env_1');
    long.noteAnswer(200, 5);
    traffic.drain(() => {});
    traffic.forgetQuiet();
    expect(traffic.of('env_1')).not.toBe(long);
    long.noteBytes(0, 7);
    traffic.of('env_1').noteAtOnce(200, 0, 1);
    let bytes = 0;
    traffic.drain(({ bytesOut }) => (bytes += bytesOut));
    expect(bytes).toBe(8);
  });
});
