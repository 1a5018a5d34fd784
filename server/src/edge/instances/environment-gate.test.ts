import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { busy, crashing, didNotWake, noSuchApp, startsTooLong, tooManyWait } from '../pages/app-errors.ts';
import { addressOf, createGateRig, fine, instancesOf, TestWaiter } from './testing/gate-rig.ts';

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
    expect(gate.counters.answers).toEqual([0, 0, 1, 0, 0, 0]);
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

describe('an instance that nobody can connect to', () => {
  it('is skipped, and its request goes to another before all who wait', () => {
    const { take } = createGateRig(instancesOf(['a', 'b'], { concurrency: 2 }));
    const four = Array.from({ length: 4 }, () => take());
    const waiting = take();
    const refused = four.find((waiter) => idOf(waiter) === 'a')!;
    const other = four.find((waiter) => idOf(waiter) === 'b')!;
    refused.place!.refused();
    expect([refused.calls, waiting.calls]).toEqual([1, 0]);
    other.place!.release(fine);
    expect([refused.calls, idOf(refused), waiting.calls]).toEqual([2, 'b', 0]);
  });

  it('is tried again, ever more rarely while nobody waits for it, and then takes requests again', async () => {
    const { take, tried, listening } = createGateRig(instancesOf(['a', 'b'], { concurrency: 100 }));
    let waiter = take();
    while (idOf(waiter) !== 'a') waiter = take();
    waiter.place!.refused();
    await vi.advanceTimersByTimeAsync(100);
    const early = tried.length;
    expect(early).toBeGreaterThan(3);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(tried.length - early).toBeLessThan(100);
    expect(Array.from({ length: 20 }, () => idOf(take()))).not.toContain('a');
    listening.add('a');
    await vi.advanceTimersByTimeAsync(1100);
    expect(idOf(take())).toBe('a');
  });

  it('is tried soon again when somebody comes who has nobody else', async () => {
    const { take, gate, tried, listening } = createGateRig(instancesOf(['a']));
    const gone = take();
    gone.place!.refused();
    gate.cancel(gone);
    await vi.advanceTimersByTimeAsync(30_000);
    const before = tried.length;
    while (tried.length === before) await vi.advanceTimersByTimeAsync(1);
    listening.add('a');
    const waiter = take();
    await vi.advanceTimersByTimeAsync(60);
    expect([waiter.calls, idOf(waiter)]).toEqual([1, 'a']);
  });

  it('does not make a request wait longer than its time, however often it is sent back', async () => {
    const { take, listening } = createGateRig(instancesOf(['a']), { holdMs: 1000 });
    listening.add('a');
    const waiter = take();
    for (let ms = 0; ms < 1200 && waiter.error === null; ms += 10) {
      waiter.place!.refused();
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(waiter.error).toBe(startsTooLong);
  });
});

describe('an instance that is withdrawn', () => {
  it('finishes what it has, takes nothing more, and is then told', () => {
    const { take, publish, drained, gates } = createGateRig(instancesOf(['a'], { concurrency: 5 }));
    const [one, two] = [take(), take()];
    const retire = vi.spyOn(one.place!.pool, 'retire');
    publish(instancesOf(['b'], { concurrency: 5 }));
    expect(retire).toHaveBeenCalled();
    expect(Array.from({ length: 3 }, () => idOf(take()))).toEqual(['b', 'b', 'b']);
    expect(gates.load().instances).toEqual({ a: 2, b: 3 });
    one.place!.release(fine);
    expect(drained).toEqual([]);
    two.place!.release(fine);
    expect(drained).toEqual(['a']);
    expect(gates.load().instances).toEqual({ b: 3 });
  });

  it('that comes back takes no more than it may, with what it still had', () => {
    const { take, publish, drained, gate } = createGateRig(instancesOf(['a'], { concurrency: 2 }));
    const one = take();
    publish(instancesOf(['b'], { concurrency: 2 }));
    publish(instancesOf(['a'], { concurrency: 2 }));
    const [two, three] = [take(), take()];
    expect([idOf(two), three.calls]).toEqual(['a', 0]);
    expect(two.place!.pool).not.toBe(one.place!.pool);
    one.place!.release(fine);
    expect([idOf(three), drained, gate.upstreams.length]).toEqual(['a', [], 1]);
  });

  it('is counted until its last request is over, also when the environment is gone', () => {
    const { take, routes, gates, drained } = createGateRig(instancesOf(['a']));
    const one = take();
    routes.replaceAll([]);
    expect(gates.load()).toMatchObject({ instances: { a: 1 } });
    one.place!.release(fine);
    expect(drained).toEqual(['a']);
    expect(gates.load()).toMatchObject({ instances: {} });
    expect([...gates.all()]).toEqual([]);
  });
});

describe('a probe', () => {
  const probe = { token: 'secret', instances: [addressOf('new')] };

  it('reaches the instances that are being checked, and nobody else does', () => {
    const { take, gate } = createGateRig(instancesOf(['old'], { probe, concurrency: 50 }));
    expect(idOf(take('secret'))).toBe('new');
    const others = ['', 'wrong', 'secre', 'secret2'].map((token) => idOf(take(token)));
    expect(others).toEqual(['old', 'old', 'old', 'old']);
    expect(gate.load).toEqual({ inFlight: 4, waiting: 0, requests: 4 });
  });

  it('is refused at once when nobody listens, and may come again', async () => {
    const { take, demands } = createGateRig(instancesOf([], { probe }));
    const first = take('secret');
    first.place!.refused();
    expect(first.error).toBe(startsTooLong);
    expect(idOf(take('secret'))).toBe('new');
    await vi.advanceTimersByTimeAsync(100);
    expect(demands).toEqual([]);
  });

  it('leaves the connections to an instance as they are when it begins to serve', () => {
    const { take, publish } = createGateRig(instancesOf(['old'], { probe }));
    const { place } = take('secret');
    publish(instancesOf(['new']));
    expect(take().place!.pool).toBe(place!.pool);
    expect(idOf(take('secret'))).toBe(undefined);
  });
});

describe('what is reported', () => {
  it('names who is busy, and who was busy a moment ago, with all requests so far', async () => {
    const { gates, take } = createGateRig(instancesOf(['a'], { concurrency: 1 }));
    expect(gates.load()).toEqual({ environments: {}, instances: {} });
    const one = take();
    take();
    expect(gates.load()).toEqual({
      environments: { env_1: { inFlight: 1, waiting: 1, requests: 2 } },
      instances: { a: 1 },
    });
    one.place!.release(fine);
    const two = TestWaiter.served.at(-1)!;
    two.place!.release(fine);
    expect(gates.load()).toEqual({
      environments: { env_1: { inFlight: 0, waiting: 0, requests: 2 } },
      instances: {},
    });
    await vi.advanceTimersByTimeAsync(11_000);
    expect(gates.load()).toEqual({ environments: {}, instances: {} });
  });
});
