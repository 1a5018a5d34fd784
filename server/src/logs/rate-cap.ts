import { dayOf } from '../db/day-partitions.ts';

/** What one environment may write. */
export interface LogCaps {
  linesPerSecond: number;
  /** Of text, before it is compressed. */
  bytesPerDay: number;
  /** These are the caps of lines about requests: a part of what the environment may write. */
  isOfAccess?: boolean;
}

/** So much of what an environment may write may be lines about requests: anybody can make requests. */
const ACCESS_SHARE = 0.5;

export function accessCapsOf({ linesPerSecond, bytesPerDay }: LogCaps): LogCaps {
  return {
    linesPerSecond: Math.max(1, Math.floor(linesPerSecond * ACCESS_SHARE)),
    bytesPerDay: bytesPerDay * ACCESS_SHARE,
    isOfAccess: true,
  };
}

/** What counts towards the bytes of a day: for lines about requests theirs, and what others took of their share. */
export function usedBytesOf(caps: LogCaps, { bytes, accessBytes }: { bytes: number; accessBytes: number }): number {
  if (!caps.isOfAccess) return bytes;
  const whole = caps.bytesPerDay / ACCESS_SHARE;
  return Math.max(accessBytes, bytes - (whole - caps.bytesPerDay));
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
    this.#lines = this.#burst;
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
    this.#turnDay(nowMs);
    return this.#lines >= this.#burst && this.#bytes === 0;
  }

  get #burst(): number {
    return this.#caps.linesPerSecond * BURST_SECONDS;
  }

  #refill(nowMs: number): void {
    const earned = (Math.max(0, nowMs - this.#atMs) / 1000) * this.#caps.linesPerSecond;
    this.#lines = Math.min(this.#burst, this.#lines + earned);
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
  const log = caps.isOfAccess ? 'access log' : 'log';
  const what = caps.isOfAccess ? ` of the ${log}` : '';
  const many = `${lines.toLocaleString('en')} ${lines === 1 ? `line${what} was` : `lines${what} were`} dropped here`;
  if (reason === 'rate') return `${many}: more than ${caps.linesPerSecond.toLocaleString('en')} lines a second.`;
  if (reason === 'behind') return `${many}: they came faster than they could be stored.`;
  return `${many}: today's ${describeBytes(caps.bytesPerDay)} of ${log} are used up. The next day begins at 00:00 UTC.`;
}

function describeBytes(bytes: number): string {
  const [unit, size] = bytes >= 2 ** 30 ? ['GiB', 2 ** 30] : ['MiB', 2 ** 20];
  return `${Math.round((bytes / size) * 10) / 10} ${unit}`;
}
