import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startsTooLong } from '../pages/app-errors.ts';
import type { ExchangeOutcome } from './gate.ts';
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

  it('reaches the one instance that it names, however much that has to do', () => {
    const instances = [addressOf('new.1'), addressOf('new.2')];
    const { take } = createGateRig(instancesOf(['old'], { probe: { token: 'secret', instances } }));
    const named = ['new.1', 'new.1', 'new.2', 'new.1'];
    expect(named.map((id) => idOf(take(`secret.${id}`)))).toEqual(named);
    const strangers = ['secret.old', 'secret.new', 'secret.'].map((token) => take(token).error);
    expect(strangers).toEqual([startsTooLong, startsTooLong, startsTooLong]);
    expect(idOf(take('wrong.new.1'))).toBe('old');
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
    expect(gates.load()).toEqual({ environments: {}, instances: {}, silent: {} });
    const one = take();
    take();
    expect(gates.load()).toEqual({
      environments: { env_1: { inFlight: 1, waiting: 1, requests: 2 } },
      instances: { a: 1 },
      silent: {},
    });
    one.place!.release(fine);
    const two = TestWaiter.served.at(-1)!;
    two.place!.release(fine);
    expect(gates.load()).toEqual({
      environments: { env_1: { inFlight: 0, waiting: 0, requests: 2 } },
      instances: {},
      silent: {},
    });
    await vi.advanceTimersByTimeAsync(11_000);
    expect(gates.load()).toEqual({ environments: {}, instances: {}, silent: {} });
  });

  it('names who took requests in a row and began to answer none of them', () => {
    const { gates, take, publish } = createGateRig(instancesOf(['a']));
    const end = (outcome: Partial<ExchangeOutcome>) => take().place!.release({ ...fine, bytesOut: 0, ...outcome });
    const answer = (status: number) => {
      const { place } = take();
      place!.answered();
      place!.release({ ...fine, status });
    };
    end({ status: 504 });
    end({ status: 0, ms: 2500 });
    // Neither says anything: a client that was gone at once, and a connection that broke.
    end({ status: 0, ms: 500 });
    end({ status: 502 });
    expect(gates.load().silent).toEqual({ a: 2 });
    answer(504);
    expect(gates.load().silent).toEqual({});
    end({ status: 504 });
    answer(101);
    expect(gates.load().silent).toEqual({});
    end({ status: 504 });
    publish({ ...instancesOf([]), instances: [{ ...addressOf('a'), port: 10 }] });
    expect(gates.load().silent).toEqual({});
  });

  it('names who lets everybody wait for long, and not who answers one of them', async () => {
    const { gates, take } = createGateRig(instancesOf(['a'], { concurrency: 9 }));
    const silentAfter = async (ms: number) => {
      for (const end = performance.now() + ms; performance.now() < end; gates.load())
        await vi.advanceTimersByTimeAsync(500);
      return gates.load().silent;
    };
    const [first, second] = [take(), take()];
    expect(await silentAfter(4000)).toEqual({});
    expect(await silentAfter(2000)).toEqual({ a: 2 });
    first.place!.answered();
    expect(await silentAfter(4000)).toEqual({});
    // The answer of one goes on; the other waits.
    expect(await silentAfter(2000)).toEqual({ a: 1 });
    second.place!.answered();
    expect(await silentAfter(9000)).toEqual({});
    take().place!.refused();
    expect(await silentAfter(9000)).toEqual({});
  });
});
