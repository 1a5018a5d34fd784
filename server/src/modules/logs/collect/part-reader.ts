import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { InstanceOutput, OutputPart, OutputPosition } from '../../../runtime/runtime.ts';
import type { CollectorDeps } from './collector.ts';

/** So long a round waits for parts, all of them together. What comes later is taken by the next round. */
const PATIENCE_MS = 250;
/** Whoever could not be read is tried again after this, and then after longer and longer. */
const AGAIN_MS = 500;
const LONGEST_AGAIN_MS = 5000;

/** What was read, and whether anything could follow it when that was begun. */
export interface ReadPart {
  part: OutputPart;
  isOver: boolean;
}

interface Reading {
  from: OutputPosition;
  isOver: boolean;
  done: Promise<void>;
  /** Once it is done; null where it could not be read. */
  part: OutputPart | null | undefined;
}

/** Reads the output of instances, each by itself: one that does not answer keeps nobody else's lines waiting. */
export class PartReader {
  readonly #deps: Pick<CollectorDeps, 'runtime' | 'log'>;
  readonly #readings = new Map<string, Reading>();
  /** The outputs that could not be read, and until when they rest. */
  readonly #pauses = new Map<string, { againAt: number; pauseMs: number }>();
  #patience: { over: Promise<void>; isOver: boolean; end(): void } | undefined;

  constructor(deps: Pick<CollectorDeps, 'runtime' | 'log'>) {
    this.#deps = deps;
  }

  beginRound(outputs: readonly InstanceOutput[]): void {
    const present = new Set(outputs.map(({ instanceId }) => instanceId));
    for (const known of [this.#readings, this.#pauses]) {
      for (const id of known.keys()) if (!present.has(id)) known.delete(id);
    }
    this.#patience?.end();
    this.#patience = beginPatience();
  }

  endRound(): void {
    this.#patience?.end();
  }

  /** Null: not yet, or it cannot be read now. */
  async read(output: InstanceOutput, from: OutputPosition, maxBytes: number): Promise<ReadPart | null> {
    const { instanceId } = output;
    if ((this.#pauses.get(instanceId)?.againAt ?? 0) > performance.now()) return null;
    const known = this.#readings.get(instanceId);
    const reading = known && isSame(known.from, from) ? known : this.#begin(output, from, maxBytes);
    if (reading.part === undefined) await this.#waitFor(reading);
    if (reading.part === undefined) return null;
    this.#readings.delete(instanceId);
    return reading.part && { part: reading.part, isOver: reading.isOver };
  }

  #begin({ instanceId, isOver }: InstanceOutput, from: OutputPosition, maxBytes: number): Reading {
    const reading: Reading = { from, isOver, done: Promise.resolve(), part: undefined };
    reading.done = this.#fill(reading, instanceId, maxBytes);
    this.#readings.set(instanceId, reading);
    return reading;
  }

  async #fill(reading: Reading, instanceId: string, maxBytes: number): Promise<void> {
    try {
      reading.part = await this.#deps.runtime.readOutput(instanceId, reading.from, maxBytes);
      this.#pauses.delete(instanceId);
    } catch (error) {
      reading.part = null;
      this.#pause(instanceId, error);
    }
  }

  async #waitFor({ done }: Reading): Promise<void> {
    // What is at hand is there at once, though others have used up the patience.
    if (!this.#patience || this.#patience.isOver) await Promise.race([done, nextTurn()]);
    else await Promise.race([done, this.#patience.over]);
  }

  #pause(instanceId: string, error: unknown): void {
    const before = this.#pauses.get(instanceId);
    if (!before) {
      const message = 'the output of an instance cannot be read; it is tried again, and others are read meanwhile';
      this.#deps.log.warn({ err: error, instance: instanceId }, message);
    }
    const pauseMs = before ? Math.min(LONGEST_AGAIN_MS, before.pauseMs * 2) : AGAIN_MS;
    this.#pauses.set(instanceId, { againAt: performance.now() + pauseMs, pauseMs });
  }
}

const isSame = (one: OutputPosition, other: OutputPosition): boolean =>
  one.stdout === other.stdout && one.stderr === other.stderr;

function beginPatience() {
  const ended = new AbortController();
  const patience = {
    isOver: false,
    over: delay(PATIENCE_MS, undefined, { signal: ended.signal, ref: false }).catch(() => {}),
    end: () => ended.abort(),
  };
  void patience.over.then(() => (patience.isOver = true));
  return patience;
}
