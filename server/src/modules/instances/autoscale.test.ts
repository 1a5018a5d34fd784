import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { autoscale, beginScaling, suspendScaling, type ScaleInput, type ScaleMemory } from './autoscale.ts';

const timing = { scaleDownAfterMs: 60_000, idleToZeroAfterMs: 600_000 };
const quiet: Omit<ScaleInput, 'nowMs'> = {
  inFlight: 0,
  waiting: 0,
  hasNewRequests: false,
  running: 1,
  ill: 0,
  cpuUses: [],
  concurrency: 10,
  cpuTarget: 80,
  min: 0,
  max: 20,
};

/** Looks again and again, and does at once what is decided. */
class Story {
  nowMs = 1_000_000;
  memory: ScaleMemory;
  running: number;

  constructor(running = 0) {
    this.running = running;
    this.memory = beginScaling(this.nowMs, running > 0);
  }

  look(input: Partial<ScaleInput> = {}, forMs = 0): number {
    for (let passedMs = 0; passedMs <= forMs; passedMs += 1000) {
      if (forMs > 0) this.nowMs += 1000;
      const whole = { ...quiet, running: this.running, ...input, nowMs: this.nowMs };
      const { desired, memory } = autoscale(this.memory, whole, timing);
      this.memory = memory;
      this.running = desired;
    }
    return this.running;
  }
}

describe('an environment that sleeps', () => {
  it('stays asleep while nobody asks, however long', () => {
    expect(new Story(0).look({}, 3_600_000)).toBe(0);
  });

  it('is woken by one request with one instance', () => {
    expect(new Story(0).look({ waiting: 1 })).toBe(1);
    expect(new Story(0).look({ waiting: 1, concurrency: 1 })).toBe(1);
  });

  it('is woken by a burst with as many as the burst needs: neither one, nor one for each request', () => {
    expect(new Story(0).look({ waiting: 95 })).toBe(10);
    expect(new Story(0).look({ waiting: 1000 })).toBe(20);
  });

  it('starts no more while those that were started for the burst boot', () => {
    const story = new Story(0);
    story.look({ waiting: 95 });
    expect(story.look({ waiting: 95 }, 5000)).toBe(10);
  });

  it('is not woken by requests that were answered without an instance', () => {
    expect(new Story(0).look({ hasNewRequests: true }, 10_000)).toBe(0);
  });

  it('has its least number of instances without being asked', () => {
    expect(new Story(0).look({ min: 2 })).toBe(2);
  });
});

describe('what requests need', () => {
  it('is another instance before the ones there are full', () => {
    expect(new Story(1).look({ inFlight: 8 }, 60_000)).toBe(1);
    expect(new Story(1).look({ inFlight: 9 }, 60_000)).toBe(2);
    expect(new Story(2).look({ inFlight: 17 }, 60_000)).toBe(3);
  });

  it('is there at once when a request waits', () => {
    expect(new Story(1).look({ inFlight: 10, waiting: 1 })).toBe(2);
  });

  it('is not what a single crowded moment says', () => {
    const story = new Story(1);
    story.look({ inFlight: 1 }, 10_000);
    story.nowMs += 100;
    expect(story.look({ inFlight: 12 })).toBe(1);
  });

  it('is one for one request at a time, where an instance takes one at a time', () => {
    expect(new Story(1).look({ inFlight: 1, concurrency: 1 }, 30_000)).toBe(1);
    expect(new Story(1).look({ inFlight: 2, concurrency: 1 }, 30_000)).toBe(2);
  });
});

describe('what processors need', () => {
  it('is so many that each stays below the target', () => {
    expect(new Story(1).look({ cpuUses: [0.79] })).toBe(1);
    expect(new Story(1).look({ cpuUses: [0.95] })).toBe(2);
    expect(new Story(2).look({ cpuUses: [1, 1] })).toBe(3);
    expect(new Story(1).look({ cpuUses: [0.5], cpuTarget: 20 })).toBe(3);
  });

  it('is not what instances use that nobody knows yet', () => {
    expect(new Story(2).look({ cpuUses: [1] })).toBe(2);
  });

  it('counts when it is more than what the requests need, and not when it is less', () => {
    expect(new Story(1).look({ inFlight: 1, cpuUses: [1] })).toBe(2);
    expect(new Story(1).look({ inFlight: 25, waiting: 1, cpuUses: [1] })).toBe(4);
  });
});

describe('fewer instances', () => {
  it('come when less was needed during the whole of the window, not before', () => {
    const story = new Story(1);
    story.look({ waiting: 50 });
    expect(story.running).toBe(5);
    expect(story.look({ inFlight: 1 }, 58_000)).toBe(5);
    expect(story.look({ inFlight: 1 }, 70_000)).toBe(1);
  });

  it('do not come while a peak returns within the window', () => {
    const story = new Story(1);
    for (let round = 0; round < 5; round++) {
      story.look({ waiting: 50 });
      expect(story.look({ inFlight: 1 }, 40_000)).toBe(5);
    }
  });

  it('are never decided by who has only just begun to look', () => {
    const story = new Story(7);
    expect(story.look({}, 50_000)).toBe(7);
    expect(story.look({}, 20_000)).toBe(1);
  });

  it('are one as long as the environment is not idle for long, and then none', () => {
    const story = new Story(1);
    story.look({ hasNewRequests: true });
    expect(story.look({}, 590_000)).toBe(1);
    expect(story.look({ hasNewRequests: true })).toBe(1);
    expect(story.look({}, 590_000)).toBe(1);
    expect(story.look({}, 20_000)).toBe(0);
  });

  it('are never none while a request is under way, however long it takes', () => {
    expect(new Story(1).look({ inFlight: 1 }, 7_200_000)).toBe(1);
  });

  it('are never fewer than the least', () => {
    expect(new Story(3).look({ min: 2 }, 7_200_000)).toBe(2);
  });
});

it('loses nothing to a time in which edges could not be heard', () => {
  const [blind, heard] = [new Story(3), new Story(3)];
  for (const story of [blind, heard]) story.look({ hasNewRequests: true, inFlight: 20 }, 120_000);
  for (let passed = 0; passed < 3_600_000; passed += 1000) {
    heard.look({}, 1);
    blind.memory = suspendScaling(blind.memory, blind.nowMs + 1000, true);
    blind.look({}, 1);
  }
  expect([blind.running, heard.running]).toEqual([3, 0]);
  expect(blind.look({}, 61_000)).toBe(1);
  expect(suspendScaling(beginScaling(0, false), 5000, false).lastRequestAtMs).toBe(-Infinity);
});

it('falls asleep though edges are not heard now and then, later by as long as they were not', () => {
  const story = new Story(1);
  story.look({ hasNewRequests: true });
  for (let minute = 0; minute < 10; minute++) {
    expect(story.look({}, 55_000)).toBe(1);
    story.nowMs += 4000;
    story.memory = suspendScaling(story.memory, story.nowMs, true);
    expect(story.look()).toBe(1);
  }
  expect(story.look({}, 30_000)).toBe(1);
  expect(story.look({}, 10_000)).toBe(0);
});

it('stays awake for requests that only those answer which are ill', () => {
  expect(new Story(1).look({ running: 0, ill: 1, hasNewRequests: true }, 3_600_000)).toBe(1);
});

it('is within the bounds, whatever happens, and enough for what waits', () => {
  const step = fc.record({
    inFlight: fc.nat(500),
    waiting: fc.nat(500),
    hasNewRequests: fc.boolean(),
    running: fc.nat(100),
    cpuUses: fc.array(fc.double({ min: 0, max: 2, noNaN: true }), { maxLength: 5 }),
    passedMs: fc.nat(100_000),
  });
  const bounds = fc.record({ min: fc.nat(5), more: fc.nat(95), concurrency: fc.integer({ min: 1, max: 100 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), bounds, (steps, { min, more, concurrency }) => {
      const max = Math.max(1, min + more);
      let memory = beginScaling(0, false);
      let nowMs = 0;
      for (const { passedMs, ...given } of steps) {
        nowMs += passedMs;
        const decided = autoscale(memory, { ...quiet, ...given, nowMs, min, max, concurrency }, timing);
        ({ memory } = decided);
        const load = given.inFlight + given.waiting;
        expect(decided.desired).toBeGreaterThanOrEqual(min);
        expect(decided.desired).toBeLessThanOrEqual(max);
        const needed = given.waiting > 0 ? Math.ceil(load / concurrency) : Math.min(1, load);
        expect(decided.desired).toBeGreaterThanOrEqual(Math.min(max, needed));
      }
    }),
  );
});
