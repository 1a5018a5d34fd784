import type { MinuteBook } from './minute-book.ts';
import { addUsage, minuteOf, PLATFORM, type UsageFigures } from './minute-row.ts';

/** A running instance, at one look. */
export interface InstanceUse {
  id: string;
  environmentId: string;
  /** Since its start. */
  cpuSeconds: number;
  /** How many processors it may use. */
  cpus: number;
  memoryBytes: number;
}

interface LastLook {
  atMs: number;
  cpuSeconds: number;
}

const NOTHING: UsageFigures = { looks: 0, instances: 0, memoryBytes: 0, cpuSeconds: 0, cpuAllowedSeconds: 0 };

/** Brings what a worker sees of its instances into its book. */
export class UsageMeter {
  readonly #book: MinuteBook;
  #last = new Map<string, LastLook>();

  constructor(book: MinuteBook) {
    this.#book = book;
  }

  /** All that run now. */
  look(instances: readonly InstanceUse[], nowMs: number): void {
    const minute = minuteOf(nowMs);
    const seen = new Map<string, LastLook>();
    const sums = new Map<string, UsageFigures>();
    for (const instance of instances) {
      const use = this.#useSince(this.#last.get(instance.id), instance, nowMs);
      sums.set(instance.environmentId, together(sums.get(instance.environmentId) ?? NOTHING, use));
      seen.set(instance.id, { atMs: nowMs, cpuSeconds: instance.cpuSeconds });
    }
    for (const [environmentId, sum] of sums) this.#book.addUsage(minute, environmentId, { ...sum, looks: 1 });
    this.#book.addUsage(minute, PLATFORM, { ...NOTHING, looks: 1, instances: instances.length });
    this.#last = seen;
  }

  /** Of what it used before the first look nobody knows when that was. */
  #useSince(last: LastLook | undefined, { cpuSeconds, cpus, memoryBytes }: InstanceUse, nowMs: number): UsageFigures {
    const seconds = last ? Math.max(0, (nowMs - last.atMs) / 1000) : 0;
    const used = last ? Math.max(0, cpuSeconds - last.cpuSeconds) : 0;
    return {
      looks: 0,
      instances: 1,
      memoryBytes,
      cpuSeconds: used,
      cpuAllowedSeconds: seconds * cpus,
    };
  }
}

/** Of several instances at the same look. */
function together(one: UsageFigures, other: UsageFigures): UsageFigures {
  return { ...addUsage(one, other), memoryBytes: one.memoryBytes + other.memoryBytes };
}
