import type { LogEntry } from './log-entry.ts';
import { describeDropped, RateCap, type DropReason, type LogCaps } from './rate-cap.ts';

export interface Room {
  lines: number;
  bytes: number;
}

/** Where there is no cap, only the room in memory is one. */
const NO_CAPS: LogCaps = { linesPerSecond: Infinity, bytesPerDay: Infinity };
/** What a line takes besides its text. */
const OVERHEAD_BYTES = 100;
/** So often at most it is told how many lines were dropped. */
const MARK_EVERY_MS = 1000;

/** The lines of one environment that are yet to be stored. */
export class PendingLines {
  readonly #caps: LogCaps;
  readonly #cap: RateCap | null;
  readonly #share: Room;
  /** What is left for all environments together. */
  readonly #room: Room;
  #entries: LogEntry[] = [];
  #bytes = 0;
  /** Being stored. */
  #taken: LogEntry[] = [];
  #takenBytes = 0;
  #takenDropped = 0;
  /** Told by no line yet. */
  #dropped = 0;
  #reason: DropReason = 'rate';
  /** Told by a line, and not counted in the store yet. */
  #toldDropped = 0;
  #addedAtMs = -Infinity;
  #markedAtMs = -Infinity;
  #learntAtMs = -Infinity;

  constructor(caps: LogCaps | null, { share, room, nowMs }: { share: Room; room: Room; nowMs: number }) {
    this.#caps = caps ?? NO_CAPS;
    this.#cap = caps && new RateCap(caps, nowMs);
    this.#share = share;
    this.#room = room;
  }

  /** Lines that wait. */
  get size(): number {
    return this.#entries.length + this.#taken.length;
  }

  get isWaiting(): boolean {
    return this.size > 0 || this.#dropped > 0;
  }

  /** Nothing was added for so long, or the clock was set back, so nobody knows. */
  hasRested(nowMs: number, restMs: number): boolean {
    return nowMs - this.#addedAtMs >= restMs || nowMs < this.#addedAtMs;
  }

  add(entry: LogEntry, nowMs: number): void {
    this.#addedAtMs = nowMs;
    const textBytes = Buffer.byteLength(entry.message);
    const bytes = textBytes + OVERHEAD_BYTES;
    const reason = this.#whyNot(bytes, nowMs);
    if (reason !== null) {
      this.#dropped++;
      this.#reason = reason;
      return;
    }
    if (this.#dropped > 0) this.mark(nowMs);
    this.#cap?.spendBytes(textBytes, nowMs);
    this.#put(entry, bytes);
  }

  /** Tells what was dropped, in the place where it was; not too often, unless it is the last chance. */
  mark(nowMs: number, isLast = false): void {
    if (this.#dropped === 0 || (!isLast && nowMs - this.#markedAtMs < MARK_EVERY_MS)) return;
    const message = describeDropped(this.#dropped, this.#reason, this.#caps);
    this.#put({ atMs: nowMs, severity: 'WARN', message, instanceId: null, deploymentId: null }, OVERHEAD_BYTES);
    this.#toldDropped += this.#dropped;
    this.#dropped = 0;
    this.#markedAtMs = nowMs;
  }

  /** To be stored now; `letGo` or `giveBack` follows. */
  take(): { entries: readonly LogEntry[]; droppedLines: number } {
    [this.#taken, this.#takenBytes, this.#takenDropped] = [this.#entries, this.#bytes, this.#toldDropped];
    [this.#entries, this.#bytes, this.#toldDropped] = [[], 0, 0];
    return { entries: this.#taken, droppedLines: this.#takenDropped };
  }

  /** They are stored. */
  letGo(): void {
    this.#room.lines += this.#taken.length;
    this.#room.bytes += this.#takenBytes;
    [this.#taken, this.#takenBytes, this.#takenDropped] = [[], 0, 0];
  }

  /** They are not. */
  giveBack(): void {
    this.#entries = [...this.#taken, ...this.#entries];
    this.#bytes += this.#takenBytes;
    this.#toldDropped += this.#takenDropped;
    [this.#taken, this.#takenBytes, this.#takenDropped] = [[], 0, 0];
  }

  /** Nobody will ever read them. */
  discard(): void {
    this.giveBack();
    this.take();
    this.letGo();
    this.#dropped = 0;
  }

  isToLearn(nowMs: number, everyMs: number): boolean {
    return nowMs - this.#learntAtMs >= everyMs;
  }

  learn(day: string, bytes: number, nowMs: number): void {
    this.#learntAtMs = nowMs;
    this.#cap?.learn(day, bytes);
  }

  /** Nothing waits, and nothing of it need be remembered. */
  isRested(nowMs: number): boolean {
    return !this.isWaiting && (this.#cap?.isRested(nowMs) ?? true);
  }

  #put(entry: LogEntry, bytes: number): void {
    this.#entries.push(entry);
    this.#bytes += bytes;
    this.#room.lines--;
    this.#room.bytes -= bytes;
  }

  #whyNot(bytes: number, nowMs: number): DropReason | null {
    const isFull =
      this.#room.lines <= 0 ||
      this.#room.bytes < bytes ||
      this.size >= this.#share.lines ||
      this.#bytes + this.#takenBytes + bytes > this.#share.bytes;
    if (isFull) return 'behind';
    if (this.#cap === null || this.#cap.takeLines(1, nowMs) === 1) return null;
    return this.#cap.isDaySpent(nowMs) ? 'day' : 'rate';
  }
}
