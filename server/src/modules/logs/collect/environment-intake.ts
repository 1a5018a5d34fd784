import type { Severity } from '@lilac/contract/states';
import type { LogEntry } from '../../../logs/log-entry.ts';
import { describeDropped, RateCap, type DropReason, type LogCaps } from '../../../logs/rate-cap.ts';

/** So often at most it is told that lines were dropped. */
const MARK_EVERY_MS = 1000;
/** Where today's bytes are used up, that is the same for hours: it is told less often, but for much. */
const MARK_DAY_EVERY_MS = 60_000;
const MARK_DAY_BYTES = 8 * 1024 ** 2;

export interface Line {
  atMs: number;
  severity: Severity;
  message: string;
  instanceId: string;
  deploymentId: string;
}

/** Lines that are left out, and when they were written. */
export interface Dropped {
  lines: number;
  bytes: number;
  atMs: number;
}

/**
 * What is collected of one environment until it is stored. From the first line that is too many, all are dropped
 * until a line has told how many: so that line stands where they were, and its number is right whenever this
 * process ends, since only what stands before is stored with the position behind it.
 */
export class EnvironmentIntake {
  readonly #caps: LogCaps;
  readonly #cap: RateCap;
  #entries: LogEntry[] = [];
  #bytes = 0;
  #dropped = { lines: 0, bytes: 0, reason: 'rate' as DropReason };
  #lostBytes = 0;
  #toldLines = 0;
  /** When the last was written that was dropped or lost. */
  #missedAtMs = 0;
  #markedAtMs = -Infinity;
  #learntAtMs = -Infinity;

  constructor(caps: LogCaps, nowMs: number) {
    this.#caps = caps;
    this.#cap = new RateCap(caps, nowMs);
  }

  get entries(): readonly LogEntry[] {
    return this.#entries;
  }

  /** The bytes of the messages that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  get isDropping(): boolean {
    return this.#dropped.lines > 0;
  }

  /**
   * How many of so many lines are taken: the first of them. The rest is to be passed over, and counted by `drop`.
   * How fast a backlog was written nobody knows, so only the bytes of the day limit it.
   */
  allow(lines: number, { nowMs, isBacklog }: { nowMs: number; isBacklog: boolean }): number {
    if (this.isDropping) return 0;
    if (isBacklog) return this.#cap.isDaySpent(nowMs) ? 0 : lines;
    return this.#cap.takeLines(lines, nowMs);
  }

  add(line: Line, nowMs: number): void {
    const bytes = Buffer.byteLength(line.message);
    this.#cap.spendBytes(bytes, nowMs);
    this.#bytes += bytes;
    this.#entries.push(line);
  }

  drop({ lines, bytes, atMs }: Dropped, nowMs: number): void {
    const before = this.#dropped;
    // What keeps lines out is why the first of them was.
    const reason = this.isDropping ? before.reason : this.#cap.isDaySpent(nowMs) ? 'day' : 'rate';
    this.#dropped = { lines: before.lines + lines, bytes: before.bytes + bytes, reason };
    this.#missedAtMs = Math.max(this.#missedAtMs, atMs);
  }

  /** Bytes were lost; nobody can say how many lines they were. */
  lose(bytes: number, atMs: number): void {
    this.#lostBytes += bytes;
    this.#missedAtMs = Math.max(this.#missedAtMs, atMs);
  }

  /**
   * Tells what was dropped and lost, with the time of the last of it, unless that was done just now. True when what was
   * dropped may be left behind.
   */
  mark(nowMs: number, isLast = false): boolean {
    if (!isLast && !this.#isToBeMarked(nowMs)) return false;
    if (this.#lostBytes > 0) this.#say(describeLost(this.#lostBytes));
    const { lines, reason } = this.#dropped;
    if (lines > 0) this.#say(describeDropped(lines, reason, this.#caps));
    if (lines > 0 || this.#lostBytes > 0) this.#markedAtMs = nowMs;
    this.#toldLines += lines;
    this.#lostBytes = 0;
    this.#dropped = { lines: 0, bytes: 0, reason };
    return lines > 0;
  }

  /** To be stored now, all of it. */
  take(): { entries: readonly LogEntry[]; droppedLines: number } {
    const taken = { entries: this.#entries, droppedLines: this.#toldLines };
    [this.#entries, this.#bytes, this.#toldLines] = [[], 0, 0];
    return taken;
  }

  isToLearn(nowMs: number, everyMs: number): boolean {
    return nowMs - this.#learntAtMs >= everyMs;
  }

  learn(day: string, bytes: number, nowMs: number): void {
    this.#learntAtMs = nowMs;
    this.#cap.learn(day, bytes);
  }

  /** Nothing of it need be remembered. */
  isRested(nowMs: number): boolean {
    return this.#entries.length === 0 && !this.isDropping && this.#lostBytes === 0 && this.#cap.isRested(nowMs);
  }

  #isToBeMarked(nowMs: number): boolean {
    const sinceMs = nowMs - this.#markedAtMs;
    if (sinceMs < MARK_EVERY_MS) return false;
    if (this.#lostBytes > 0) return true;
    const { lines, bytes, reason } = this.#dropped;
    if (lines === 0) return false;
    // The next day allows lines again, and they are not to wait for this.
    if (reason === 'day' && !this.#cap.isDaySpent(nowMs)) return true;
    return reason !== 'day' || sinceMs >= MARK_DAY_EVERY_MS || bytes >= MARK_DAY_BYTES;
  }

  #say(message: string): void {
    this.#entries.push({ atMs: this.#missedAtMs, severity: 'WARN', message, instanceId: null, deploymentId: null });
    this.#bytes += message.length;
  }
}

const describeLost = (bytes: number): string =>
  `${bytes.toLocaleString('en')} bytes of output were lost here: they came faster than they could be read, or the program itself removed them.`;
