import { dayOf } from '../db/day-partitions.ts';

/** What one environment may write. */
export interface LogCaps {
  linesPerSecond: number;
  /** Of text, before it is compressed. */
  bytesPerDay: number;
}

/** Why a line was not kept: too many at once, too much today, or whoever writes them down was not quick enough. */
export type DropReason = 'rate' | 'day' | 'behind';

/** So many seconds' worth may come at once. */
const BURST_SECONDS = 10;

/** Counts what one environment writes, by one process. What it writes in a day others may have written too. */
export class RateCap {
  readonly #caps: LogCaps;
  #lines: number;
  #atMs: number;
  #day = '';
  #dayEndsMs = 0;
  #bytes = 0;

  constructor(caps: LogCaps, nowMs: number) {
    this.#caps = caps;
    this.#lines = caps.linesPerSecond * BURST_SECONDS;
    this.#atMs = nowMs;
    this.#turnDay(nowMs);
  }

  /** How many of so many lines may be written: the first of them. Those are spent. */
  takeLines(wanted: number, nowMs: number): number {
    this.#refill(nowMs);
    const taken = this.isDaySpent(nowMs) ? 0 : Math.min(wanted, Math.floor(this.#lines));
    this.#lines -= taken;
    return taken;
  }

  spendBytes(bytes: number, nowMs: number): void {
    this.#turnDay(nowMs);
    this.#bytes += bytes;
  }

  isDaySpent(nowMs: number): boolean {
    this.#turnDay(nowMs);
    return this.#bytes >= this.#caps.bytesPerDay;
  }

  /** What the store says of a day: ours, as far as it is stored, and what other processes wrote. */
  learn(day: string, storedBytes: number): void {
    if (day === this.#day) this.#bytes = Math.max(this.#bytes, storedBytes);
  }

  /** Nothing of it need be remembered: a new one would allow as much. */
  isRested(nowMs: number): boolean {
    this.#refill(nowMs);
    return this.#lines >= this.#caps.linesPerSecond * BURST_SECONDS;
  }

  #refill(nowMs: number): void {
    const { linesPerSecond } = this.#caps;
    const gained = (Math.max(0, nowMs - this.#atMs) / 1000) * linesPerSecond;
    this.#lines = Math.min(linesPerSecond * BURST_SECONDS, this.#lines + gained);
    this.#atMs = nowMs;
  }

  #turnDay(nowMs: number): void {
    if (nowMs < this.#dayEndsMs) return;
    this.#day = dayOf(nowMs);
    this.#dayEndsMs = Date.parse(this.#day) + 24 * 60 * 60 * 1000;
    this.#bytes = 0;
  }
}

/** What stands in the log in the place of the lines. */
export function describeDropped(lines: number, reason: DropReason, caps: LogCaps): string {
  const many = `${lines.toLocaleString('en')} ${lines === 1 ? 'line was' : 'lines were'} dropped here`;
  if (reason === 'rate') return `${many}: more than ${caps.linesPerSecond.toLocaleString('en')} lines a second.`;
  if (reason === 'behind') return `${many}: they came faster than they could be stored.`;
  return `${many}: today's ${describeBytes(caps.bytesPerDay)} of log are used up. The next day begins at 00:00 UTC.`;
}

function describeBytes(bytes: number): string {
  const [unit, size] = bytes >= 2 ** 30 ? ['GiB', 2 ** 30] : ['MiB', 2 ** 20];
  return `${Math.round((bytes / size) * 10) / 10} ${unit}`;
}
