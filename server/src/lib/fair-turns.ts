export interface FairTurns {
  /** Runs the work when it is its turn. When it is aborted before, it is not run and the reason is thrown. */
  run<T>(owner: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  readonly waiting: number;
}

export interface TurnLimits {
  /** How many have a turn at the same time. */
  turns: number;
  /** How many of one owner. */
  perOwner: number;
}

interface Owner {
  running: number;
  /** In the order of asking. */
  queue: Set<() => void>;
}

/** Owners take turns: however much one asks for, another waits for what runs and not for all of that. */
export function createFairTurns({ turns, perOwner }: TurnLimits): FairTurns {
  /** Only those who run or wait. Who has had a turn most recently is the last. */
  const owners = new Map<string, Owner>();
  let free = turns;
  let waiting = 0;

  const ownerOf = (name: string): Owner => {
    const owner = owners.get(name) ?? { running: 0, queue: new Set() };
    owners.set(name, owner);
    return owner;
  };
  const forgetIdle = (name: string, { running, queue }: Owner): void => {
    if (running === 0 && queue.size === 0) owners.delete(name);
  };
  const moveToEnd = (name: string, owner: Owner): void => {
    owners.delete(name);
    owners.set(name, owner);
  };
  const take = (name: string, owner: Owner): void => {
    free--;
    owner.running++;
    moveToEnd(name, owner);
  };
  const wakeNext = (): void => {
    for (const [name, owner] of owners) {
      if (free === 0) return;
      const [next] = owner.queue;
      if (!next || owner.running >= perOwner) continue;
      take(name, owner);
      next();
      return;
    }
  };

  const acquire = (name: string, signal: AbortSignal | undefined): Promise<void> => {
    signal?.throwIfAborted();
    const owner = ownerOf(name);
    if (free > 0 && owner.running < perOwner) {
      take(name, owner);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        owner.queue.delete(begin);
        waiting--;
        signal?.removeEventListener('abort', giveUp);
      };
      const begin = () => {
        leave();
        resolve();
      };
      const giveUp = () => {
        leave();
        forgetIdle(name, owner);
        reject(signal!.reason as Error);
      };
      owner.queue.add(begin);
      waiting++;
      signal?.addEventListener('abort', giveUp);
    });
  };
  const release = (name: string): void => {
    const owner = owners.get(name)!;
    free++;
    owner.running--;
    moveToEnd(name, owner);
    forgetIdle(name, owner);
    wakeNext();
  };

  return {
    async run(name, work, signal) {
      await acquire(name, signal);
      try {
        return await work();
      } finally {
        release(name);
      }
    },
    get waiting() {
      return waiting;
    },
  };
}
