import { Fault } from '../../lib/fault.ts';

export interface CallLimits {
  /** At a time. */
  count: number;
  /** Who waits longer for a turn is sent away. */
  waitMs: number;
}

/** Runs the work when one of the turns is free, in order of asking; 503 SV002 for who waits too long. */
export type RunLimited = <T>(work: () => Promise<T>) => Promise<T>;

export function limitCalls({ count, waitMs }: CallLimits): RunLimited {
  const queue: (() => void)[] = [];
  let free = count;
  const takeTurn = (): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(proceed), 1);
        reject(tooBusy());
      }, waitMs);
      const proceed = (): void => {
        clearTimeout(timer);
        resolve();
      };
      queue.push(proceed);
    });
  };
  return async (work) => {
    await takeTurn();
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else free += 1;
    }
  };
}

const tooBusy = () =>
  new Fault('SV002', 'Too many repositories are being looked at. Try again in a few seconds.', {
    retryAfterSeconds: 5,
  });
