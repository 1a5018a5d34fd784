import type { Clock } from '../lib/clock.ts';

export interface FakeClock extends Clock {
  advance(milliseconds: number): void;
}

/** Starts at the real time, since the store fills some times in by its own clock, and then stands still. */
export function createFakeClock(start: Date = new Date()): FakeClock {
  let time = start.getTime();
  return {
    now: () => new Date(time),
    advance: (milliseconds) => {
      time += milliseconds;
    },
  };
}
