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
});
