import { closeSync, constants, readSync, statSync, type Stats } from 'node:fs';
import { cutReserved, emptyFile, openUnlessHeld, punchHole } from './free-space.ts';
import { readMarks, writeMarks, type StreamMarks } from './output-files.ts';

export interface OutputBounds {
  /** What nobody has read is kept up to this; then half of it goes. */
  unreadBytes: number;
  /** So much that was read is let come together before it is given back to the disk. */
  freedAtOnce: number;
  /** What stays at the end, for `tail`. */
  tailBytes: number;
  /** File systems take some room ahead of what is written; what is beyond that, somebody has reserved. */
  aheadBytes: number;
  /**
   * A file that is as long as this is begun anew when nobody writes: it has holes only, but whoever copies it may not
   * know.
   */
  longBytes: number;
}

const MEBIBYTE = 1024 ** 2;
export const outputBounds: OutputBounds = {
  unreadBytes: 64 * MEBIBYTE,
  freedAtOnce: 8 * MEBIBYTE,
  tailBytes: 256 * 1024,
  aheadBytes: 32 * MEBIBYTE,
  longBytes: 1024 * MEBIBYTE,
};

export interface StreamPart {
  bytes: Buffer;
  /** Behind the last byte. */
  position: number;
  lostBytes: number;
  /** How much more there is. */
  unreadBytes: number;
  writtenAt: Date;
}

/** Holes begin and end where blocks do. */
const BLOCK_BYTES = 65_536;
/** Compared with what was there before, to see that the file is still the same. */
const OVERLAP_BYTES = 32;
const QUIET_MS = 1000;
const PUNCH_TRIES = 3;
const NOTHING = Buffer.alloc(0);

/**
 * A file that a program appends to, and that only seems to become longer: what was read is punched out of it.
 * Positions are counted from the very beginning, also when the program or we have begun the file anew.
 */
export class OutputStream {
  readonly #path: string;
  readonly #bounds: OutputBounds;
  readonly #canShrinkByItself: boolean;
  #marks: StreamMarks;
  #released: number;
  /** Where the hole ends in the file. */
  #freed: number;
  #lastSize = 0;
  /** The last bytes that were given out, and the position behind them. */
  #seen: { bytes: Buffer; end: number } = { bytes: NOTHING, end: 0 };
  #trimming: Promise<void> | undefined;
  #canPunch = true;
  #failures = 0;

  /** `isOfThisBoot`: a file may be shorter because the machine has stopped; then nothing new is in it. */
  constructor(path: string, { isOfThisBoot }: { isOfThisBoot: boolean }, bounds: OutputBounds = outputBounds) {
    this.#path = path;
    this.#bounds = bounds;
    this.#canShrinkByItself = isOfThisBoot;
    this.#marks = readMarks(path);
    this.#released = this.#marks.floor;
    this.#freed = Math.max(0, this.#marks.floor - this.#marks.base);
  }

  read(from: number, most: number): StreamPart {
    const stats = this.#stat();
    // Only the kernel sets this time, and it does whenever something is written.
    const writtenAt = stats?.ctime ?? new Date(0);
    if (!stats) return { bytes: NOTHING, position: from, lostBytes: 0, unreadBytes: 0, writtenAt };
    this.#noteShortened(stats.size, from);
    const position = this.#beginOf(from);
    const bytes = this.#readAt(position, Math.min(most, stats.size - (position - this.#marks.base)));
    // It may have been found out only now that the file was begun anew.
    const begin = this.#beginOf(position);
    this.#remember(bytes, begin);
    const end = begin + bytes.length;
    const unreadBytes = Math.max(0, stats.size - (end - this.#marks.base));
    return { bytes, position: end, lostBytes: begin - from, unreadBytes, writtenAt };
  }

  release(before: number): void {
    this.#released = Math.max(this.#released, before);
  }

  /** Gives back to the disk what was released, and what is too much. */
  trim(): Promise<void> {
    return (this.#trimming ??= this.#trim().finally(() => (this.#trimming = undefined)));
  }

  /** The end of the file: nothing of it has been punched out. */
  readEnd(): Buffer {
    const { size } = this.#stat() ?? { size: 0 };
    const begin = Math.max(size - this.#bounds.tailBytes, this.#marks.floor - this.#marks.base, 0);
    return readFrom(this.#path, begin, size - begin) ?? NOTHING;
  }

  #stat(): Stats | undefined {
    return statSync(this.#path, { throwIfNoEntry: false });
  }

  #beginOf(from: number): number {
    return Math.max(from, this.#marks.base, this.#marks.floor);
  }

  /** The program may have opened its output to write it anew, as shells do. */
  #noteShortened(size: number, from: number): void {
    const end = Math.max(this.#lastSize, from - this.#marks.base);
    this.#lastSize = size;
    if (size < end && this.#canShrinkByItself) this.#beginAnew(this.#marks.base + end);
  }

  #beginAnew(base: number): void {
    this.#mark({ base, floor: base });
    this.#released = base;
    this.#freed = 0;
    this.#seen = { bytes: NOTHING, end: base };
  }

  #mark(marks: StreamMarks): void {
    writeMarks(this.#path, marks);
    this.#marks = marks;
  }

  #readAt(position: number, most: number): Buffer {
    if (most <= 0) return NOTHING;
    const before = this.#seen.end === position ? this.#seen.bytes : NOTHING;
    const bytes = readFrom(this.#path, position - this.#marks.base - before.length, before.length + most);
    if (bytes === null) return NOTHING;
    if (bytes.subarray(0, before.length).equals(before)) return bytes.subarray(before.length);
    // It was begun anew, and is longer already than it was.
    this.#beginAnew(position);
    return readFrom(this.#path, 0, most) ?? NOTHING;
  }

  #remember(bytes: Buffer, begin: number): void {
    if (bytes.length === 0) return;
    const end = begin + bytes.length;
    this.#seen = { bytes: Buffer.from(bytes.subarray(Math.max(0, bytes.length - OVERLAP_BYTES))), end };
  }

  async #trim(): Promise<void> {
    const stats = this.#stat();
    if (!stats) return;
    const { size } = stats;
    this.#noteShortened(size, 0);
    if (this.#hasReserved(stats)) await this.#giveBackReserved();
    if (this.#isToBeEmptied(stats)) this.#empty(size);
    else if (this.#canPunch) await this.#punch(size);
  }

  /** Behind its end, or in the hole. */
  #hasReserved({ size, blocks }: Stats): boolean {
    return blocks * 512 - (size - this.#freed) > this.#bounds.aheadBytes;
  }

  async #giveBackReserved(): Promise<void> {
    if (this.#freed > 0) await punchHole(this.#path, this.#freed);
    cutReserved(this.#path);
  }

  async #punch(size: number): Promise<void> {
    const { freedAtOnce, tailBytes } = this.#bounds;
    const wanted = this.#unwantedBytes(size);
    const end = Math.floor((Math.min(wanted, size - tailBytes) - OVERLAP_BYTES) / BLOCK_BYTES) * BLOCK_BYTES;
    if (end - this.#freed < freedAtOnce) return;
    // Written down first: whoever reads a hole would take it for what the program wrote.
    this.#mark({ ...this.#marks, floor: this.#marks.base + end });
    this.#canPunch = await this.#tryPunching(end);
    this.#freed = end;
  }

  /** What fails now may be done the next time; what fails again and again cannot be done. */
  async #tryPunching(end: number): Promise<boolean> {
    try {
      const canPunch = await punchHole(this.#path, end);
      this.#failures = 0;
      return canPunch;
    } catch (error) {
      if (++this.#failures === PUNCH_TRIES) this.#canPunch = false;
      throw error;
    }
  }

  /** So much of the file, from its beginning, need not be kept: it was released, or is too much. */
  #unwantedBytes(size: number): number {
    const { base, floor } = this.#marks;
    const released = Math.max(this.#released, floor) - base;
    const { unreadBytes } = this.#bounds;
    return size - released > unreadBytes ? size - unreadBytes / 2 : released;
  }

  #isToBeEmptied({ size, ctimeMs }: Stats): boolean {
    const { longBytes, unreadBytes, freedAtOnce } = this.#bounds;
    const isReleased = this.#released - this.#marks.base >= size;
    const isTooMuch = size - (this.#released - this.#marks.base) > unreadBytes;
    if (!this.#canPunch) return size > freedAtOnce && (isReleased || isTooMuch);
    const isLong = size > longBytes && Date.now() - ctimeMs > QUIET_MS;
    return isReleased && (isLong || size > longBytes * 256);
  }

  #empty(size: number): void {
    const isTooMuch = this.#released - this.#marks.base < size;
    const options = { keptBytes: this.#bounds.tailBytes, most: isTooMuch ? Infinity : size };
    const emptied = emptyFile(this.#path, options);
    if (emptied === null) return;
    // Afterwards: were it noted before, and this process killed, the next one would read everything again.
    this.#beginAnew(this.#marks.base + emptied);
    this.#lastSize = 0;
  }
}

/** Null when it cannot be read now. */
function readFrom(path: string, offset: number, most: number): Buffer | null {
  const file = openUnlessHeld(path, constants.O_RDONLY);
  if (file === null) return null;
  try {
    const buffer = Buffer.allocUnsafe(most);
    return buffer.subarray(0, readSync(file, buffer, 0, most, offset));
  } finally {
    closeSync(file);
  }
}
