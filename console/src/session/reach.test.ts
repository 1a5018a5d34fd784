import { describe, expect, it } from 'vitest';
import { Reach } from './reach.ts';

/** A platform that can be cut off, and a clock that is turned by hand. */
function build() {
  const world = { isUp: true, asked: 0, returns: 0 };
  const timers = new Set<() => void>();
  const reach = new Reach({
    async isAnswering() {
      world.asked++;
      return world.isUp;
    },
    schedule(work) {
      timers.add(work);
      return () => timers.delete(work);
    },
  });
  reach.onReturn(() => world.returns++);
  const runTimers = async () => {
    const due = [...timers];
    timers.clear();
    for (const work of due) work();
    await settle();
  };
  const call = async (answer: () => Promise<Response>, init?: RequestInit) => {
    await reach
      .watch(answer)('/', init)
      .catch(() => {});
    await settle();
  };
  return { world, reach, runTimers, call };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
/** Says nothing until it is taken back. */
const hang: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) => init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason)));
const fail = () => Promise.reject(new TypeError('fetch failed'));
const answer = (status: number) => () => Promise.resolve(new Response(null, { status }));

describe('whether the platform can be reached', () => {
  it('is lost once nobody answers, and comes again with the first answer', async () => {
    const { world, reach, call } = build();
    world.isUp = false;
    await call(fail);
    expect(reach.isLost()).toBe(true);
    await call(answer(404));
    expect(reach.isLost()).toBe(false);
    expect(world.returns).toBe(1);
  });

  it('is asked again by itself, and no more once somebody has answered', async () => {
    const { world, reach, call, runTimers } = build();
    world.isUp = false;
    await call(fail);
    await runTimers();
    expect(reach.isLost()).toBe(true);
    world.isUp = true;
    await runTimers();
    expect(reach.isLost()).toBe(false);
    const { asked } = world;
    await runTimers();
    expect(world.asked).toBe(asked);
  });

  it('one question that cannot be answered is not a platform that is away', async () => {
    const { reach, call } = build();
    await call(fail);
    await call(answer(503));
    expect(reach.isLost()).toBe(false);
  });

  it('what stands before a platform that is away answers for it in vain', async () => {
    const { world, reach, call } = build();
    world.isUp = false;
    await call(answer(502));
    expect(reach.isLost()).toBe(true);
  });

  it('a question without an answer is doubted, and one that was taken back is not', async () => {
    const { world, reach, call, runTimers } = build();
    world.isUp = false;
    await call(fail, { signal: AbortSignal.abort() });
    expect(reach.isLost()).toBe(false);
    void reach.watch(() => new Promise(() => {}))('/');
    await runTimers();
    expect(reach.isLost()).toBe(true);
  });

  it('what was asked before it came again, and never answered, is given up; what was asked since is not', async () => {
    const { world, reach, runTimers } = build();
    const given: string[] = [];
    const ask = (name: string, ...signal: AbortSignal[]) =>
      void reach
        .watch(hang)('/', { signal: signal[0] })
        .catch(() => given.push(name));
    ask('before');
    ask('with a signal of its own', new AbortController().signal);
    world.isUp = false;
    await runTimers();
    ask('while it is lost');
    world.isUp = true;
    expect(given).toEqual([]);
    await runTimers();
    ask('since');
    await settle();
    expect(given).toEqual(['before', 'with a signal of its own', 'while it is lost']);
  });

  it('an answer that has begun is not taken back', async () => {
    const { world, reach, call, runTimers } = build();
    let signal: AbortSignal | null | undefined;
    const begun = reach.watch((_, init) => {
      ({ signal } = init!);
      return Promise.resolve(new Response('text'));
    });
    const response = await begun('/');
    world.isUp = false;
    await call(fail);
    world.isUp = true;
    await runTimers();
    expect(reach.isLost()).toBe(false);
    expect(signal?.aborted).toBe(false);
    expect(await response.text()).toBe('text');
  });
});
