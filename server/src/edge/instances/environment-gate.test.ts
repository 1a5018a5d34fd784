import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { busy, crashing, didNotWake, noSuchApp, startsTooLong, tooManyWait } from '../pages/app-errors.ts';
import { createGateRig, fine, instancesOf, TestWaiter } from './testing/gate-rig.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.advanceTimersByTime(60_000);
  TestWaiter.served.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

const idOf = ({ place }: TestWaiter) => place?.instanceId;

describe('a request', () => {
  it('goes to the instance that has the least to do', () => {
    const { take } = createGateRig(instancesOf(['a', 'b', 'c'], { concurrency: 10 }));
    const first = [take(), take(), take()];
    expect(new Set(first.map(idOf))).toEqual(new Set(['a', 'b', 'c']));
    const ofB = first.find((waiter) => idOf(waiter) === 'b')!;
    ofB.place!.release(fine);
    expect(idOf(take())).toBe('b');
  });

  it('goes to any of several that have equally little to do', () => {
    const { take } = createGateRig(instancesOf(['a', 'b', 'c']));
    const chosen = new Set<string | undefined>();
    for (let round = 0; round < 200; round++) {
      const waiter = take();
      chosen.add(idOf(waiter));
      waiter.place!.release(fine);
    }
    expect(chosen).toEqual(new Set(['a', 'b', 'c']));
  });

  it('waits when every instance has as many as it may, and goes in the order of coming', () => {
    const { take, gate } = createGateRig(instancesOf(['a', 'b'], { concurrency: 2 }));
    const taken = Array.from({ length: 4 }, () => take());
    const waiting = [take(), take(), take()];
    expect(waiting.map(idOf)).toEqual([undefined, undefined, undefined]);
    expect(gate.upstreams.map(({ inFlight }) => inFlight)).toEqual([2, 2]);
    TestWaiter.served.length = 0;
    for (const { place } of taken.slice(0, 3)) place!.release(fine);
    expect(TestWaiter.served).toEqual(waiting);
    expect(gate.load).toEqual({ inFlight: 4, waiting: 0, requests: 7 });
  });

  it('an edge among several takes its part of what an instance may have', () => {
    const { take, gate, gates } = createGateRig(instancesOf(['a'], { concurrency: 5 }));
    gates.shareAmong({ edges: 2, visited: new Map() });
    for (let count = 0; count < 4; count++) take();
    expect(gate.load).toMatchObject({ inFlight: 2, waiting: 2 });
    gates.shareAmong({ edges: 1, visited: new Map() });
    expect(gate.load).toMatchObject({ inFlight: 4, waiting: 0 });
    gates.shareAmong({ edges: 9, visited: new Map() });
    take();
    expect(gate.load).toMatchObject({ inFlight: 4, waiting: 1 });
  });

  it('an edge takes the parts of those that nobody visits, and gives them back when somebody does', () => {
    const { take, gate, gates } = createGateRig(instancesOf(['a'], { concurrency: 6 }));
    gates.shareAmong({ edges: 3, visited: new Map([['env_2', 3]]) });
    const waiters = Array.from({ length: 7 }, () => take());
    expect(gate.load).toMatchObject({ inFlight: 2, waiting: 5 });
    gates.shareAmong({ edges: 3, visited: new Map([['env_1', 1]]) });
    expect(gate.load).toMatchObject({ inFlight: 6, waiting: 1 });
    gates.shareAmong({ edges: 3, visited: new Map([['env_1', 2]]) });
    for (const { place } of waiters.slice(0, 3)) place!.release(fine);
    expect(gate.load).toMatchObject({ inFlight: 3, waiting: 1 });
    waiters[3]!.place!.release(fine);
    expect(gate.load).toMatchObject({ inFlight: 3, waiting: 0 });
  });

  it('an environment that is visited for the first time begins with its part among all edges', () => {
    const { gates } = createGateRig(instancesOf(['a']));
    gates.shareAmong({ edges: 3, visited: new Map([['env_1', 1]]) });
    const other = gates.of('env_2', instancesOf(['b'], { concurrency: 6 }));
    for (let count = 0; count < 4; count++) other.take(new TestWaiter());
    expect(other.load).toMatchObject({ inFlight: 2, waiting: 2 });
  });

  it('asks after the other edges once it has used more than half of its part, and for a while longer', () => {
    const { take, gates } = createGateRig(instancesOf(['a'], { concurrency: 12 }));
    gates.shareAmong({ edges: 3, visited: new Map() });
    const waiters = [take(), take()];
    expect(gates.tight()).toEqual([]);
    waiters.push(take());
    for (const { place } of waiters) place!.release(fine);
    expect(gates.tight()).toEqual(['env_1']);
    vi.advanceTimersByTime(9000);
    expect(gates.tight()).toEqual(['env_1']);
    vi.advanceTimersByTime(2000);
    expect(gates.tight()).toEqual([]);
  });

  it('asks after no other edges where there are none', () => {
    const { take, gates } = createGateRig(instancesOf(['a'], { concurrency: 1 }));
    take();
    take();
    expect(gates.tight()).toEqual([]);
  });

  it('waits no more when its client is gone', () => {
    const { take, gate, gates } = createGateRig(instancesOf(['a'], { concurrency: 1 }));
    const one = take();
    const [gone, next] = [take(), take()];
    gate.cancel(gone);
    gate.cancel(gone);
    gate.cancel(one);
    one.place!.release(fine);
    expect([gone.calls, next.calls, gates.held]).toEqual([0, 1, 0]);
  });

  it('ends its place once, whatever is called how often', () => {
    const { take, gate } = createGateRig(instancesOf(['a']));
    const { place } = take();
    place!.release(fine);
    place!.release(fine);
    place!.refused();
    expect(gate.load).toMatchObject({ inFlight: 0, waiting: 0 });
  });

  it('may use more of an instance, or less, as soon as the route says so', () => {
    const { take, publish } = createGateRig(instancesOf(['a'], { concurrency: 1 }));
    const [one, two, three] = [take(), take(), take()];
    publish(instancesOf(['a'], { concurrency: 3 }));
    expect([one, two, three].map(idOf)).toEqual(['a', 'a', 'a']);
    publish(instancesOf(['a'], { concurrency: 1 }));
    one.place!.release(fine);
    const four = take();
    two.place!.release(fine);
    expect(four.calls).toBe(0);
    three.place!.release(fine);
    expect(idOf(four)).toBe('a');
  });
});

describe('an environment that is asleep', () => {
  it('holds requests, asks for instances at once, and gives the requests to those that come', async () => {
    const { take, demands, publish, listening } = createGateRig(instancesOf([]));
    const waiting = [take(), take(), take()];
    await vi.advanceTimersByTimeAsync(0);
    expect(demands).toEqual([{ environmentId: 'env_1', inFlight: 0, waiting: 3 }]);
    listening.add('a').add('b');
    publish(instancesOf(['a', 'b']));
    await vi.advanceTimersByTimeAsync(5);
    expect(waiting.map(({ calls }) => calls)).toEqual([1, 1, 1]);
    expect(new Set(waiting.map(idOf))).toEqual(new Set(['a', 'b']));
  });

  it('asks again while more come, and not more often than every 50 ms', async () => {
    const { take, demands } = createGateRig(instancesOf([]));
    for (let ms = 0; ms < 200; ms++) {
      take();
      if (ms < 100) await vi.advanceTimersByTimeAsync(1);
    }
    await vi.advanceTimersByTimeAsync(1000);
    expect(demands.length).toBeGreaterThanOrEqual(2);
    expect(demands.length).toBeLessThanOrEqual(5);
    expect(demands.at(-1)?.waiting).toBe(100);
  });

  it('503 when it did not wake in time, each request after its own time', async () => {
    const { take, gates } = createGateRig(instancesOf([]), { holdMs: 1000 });
    const one = take();
    await vi.advanceTimersByTimeAsync(600);
    const two = take();
    await vi.advanceTimersByTimeAsync(500);
    expect([one.error, two.error]).toEqual([didNotWake, null]);
    await vi.advanceTimersByTimeAsync(500);
    expect([two.error, gates.held, vi.getTimerCount()]).toEqual([didNotWake, 0, 0]);
  });

  it('tries one that does not listen yet for all who wait, and no request is lost', async () => {
    const { take, publish, listening, tried } = createGateRig(instancesOf([], { concurrency: 100 }));
    const waiting = Array.from({ length: 80 }, () => take());
    publish(instancesOf(['a'], { concurrency: 100 }));
    await vi.advanceTimersByTimeAsync(300);
    expect(TestWaiter.served).toEqual([]);
    expect(tried.length).toBeGreaterThan(10);
    expect(tried.length).toBeLessThan(60);
    listening.add('a');
    await vi.advanceTimersByTimeAsync(50);
    expect(TestWaiter.served).toEqual(waiting);
  });

  it('503 that says it is starting when its instance never listened', async () => {
    const { take, publish } = createGateRig(instancesOf([]), { holdMs: 1000 });
    const waiter = take();
    publish(instancesOf(['a']));
    await vi.advanceTimersByTimeAsync(1100);
    expect(waiter.error).toBe(startsTooLong);
  });
});

describe('the line', () => {
  it('503 at once when as many wait as there may: a hundred, or all that all instances can take', () => {
    const few = createGateRig(instancesOf([], { concurrency: 1, maxInstances: 1 }));
    const waiting = Array.from({ length: 101 }, () => few.take());
    expect(waiting.findIndex(({ error }) => error === tooManyWait)).toBe(100);
    const many = createGateRig(instancesOf([], { concurrency: 50, maxInstances: 5 }));
    const more = Array.from({ length: 251 }, () => many.take());
    expect(more.findIndex(({ error }) => error === tooManyWait)).toBe(250);
  });

  it('503 at once when as many wait at the whole edge as there may', () => {
    const { gates, take } = createGateRig(instancesOf([]), { maxHeld: 3 });
    const other = gates.of('env_2', instancesOf([]));
    const waiters = Array.from({ length: 2 }, () => take());
    const others = Array.from({ length: 2 }, () => new TestWaiter());
    for (const waiter of others) other.take(waiter);
    expect([...waiters, ...others].map(({ error }) => error)).toEqual([null, null, null, tooManyWait]);
    other.cancel(others[0]!);
    expect(take().error).toBeNull();
  });

  it('503 that says it is busy when no instance had room in time', async () => {
    const { take } = createGateRig(instancesOf(['a'], { concurrency: 1 }), { holdMs: 1000 });
    take();
    const waiter = take();
    await vi.advanceTimersByTimeAsync(1100);
    expect(waiter.error).toBe(busy);
  });

  it('503 at once while instances keep crashing, to those who wait too', () => {
    const { take, publish } = createGateRig(instancesOf([]));
    const waiter = take();
    publish(instancesOf([], { outage: 'crashing' }));
    expect([waiter.error, take().error]).toEqual([crashing, crashing]);
    publish(instancesOf([]));
    expect(take().error).toBeNull();
  });

  it('is dissolved when the environment is gone', () => {
    const { take, routes, gates } = createGateRig(instancesOf([]));
    const waiter = take();
    routes.replaceAll([]);
    expect([waiter.error, gates.held, [...gates.all()].length]).toEqual([noSuchApp, 0, 0]);
  });
});
