export interface Semaphore {
  /** Runs the work when one of the turns is free, in order of asking. */
  run<T>(work: () => Promise<T>): Promise<T>;
  readonly waiting: number;
  /** Nobody has a turn or waits for one. */
  readonly isIdle: boolean;
}

export function createSemaphore(turns: number): Semaphore {
  const queue: (() => void)[] = [];
  let free = turns;
  const acquire = (): Promise<void> => {
    if (free === 0) return new Promise((resolve) => queue.push(resolve));
    free--;
    return Promise.resolve();
  };
  const release = (): void => {
    const next = queue.shift();
    if (next) next();
    else free++;
  };
  return {
    async run(work) {
      await acquire();
      try {
        return await work();
      } finally {
        release();
      }
    },
    get waiting() {
      return queue.length;
    },
    get isIdle() {
      return free === turns;
    },
  };
}
