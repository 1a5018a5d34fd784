import { makeSafe } from '../../../logs/make-safe.ts';
import { SeverityReader } from '../../../logs/severity-reader.ts';
import type { EnvironmentIntake, Line } from './environment-intake.ts';
import { countLines, decodeLines, decodePart, endOfLine, endOfLines, wholeCharacters } from './cut-lines.ts';

/** What has no newline after so much is a line nevertheless. */
export const LONGEST_PART_BYTES = 128 * 1024;

type Labels = Pick<Line, 'instanceId' | 'deploymentId'>;

/** What came of one stream with one read. */
export interface StreamBytes {
  bytes: Buffer;
  /** Behind the last byte. */
  position: number;
  /** How much more there is. */
  unreadBytes: number;
  writtenAt: Date;
}

/** Turns the bytes of one stream into lines. */
export class StreamReader {
  readonly #labels: Labels;
  readonly #severities: SeverityReader;
  /** A line that is not complete yet. */
  #held: Buffer = Buffer.alloc(0);
  /** The position up to which all is in the intake, or stored. */
  #takenTo: number;
  /** The position up to which all is taken, or dropped. */
  #passedTo: number;
  /** The time of the last line. */
  #atMs = 0;
  /** What is before was there at the first look. */
  #backlogTo: number | null = null;

  constructor(stream: 'stdout' | 'stderr', labels: Labels, position: number) {
    this.#labels = labels;
    this.#severities = new SeverityReader(stream);
    this.#takenTo = position;
    this.#passedTo = position;
  }

  /** Where to read on. */
  get readTo(): number {
    return this.#passedTo + this.#held.length;
  }

  get takenTo(): number {
    return this.#takenTo;
  }

  /** Everything that was read is in the intake, or stored. */
  get isTaken(): boolean {
    return this.#takenTo === this.readTo;
  }

  /** To be told of every part, also of an empty one: what was there at the first look was written while nobody read. */
  look({ position, unreadBytes }: StreamBytes): void {
    this.#backlogTo ??= position + unreadBytes;
  }

  push(part: StreamBytes, intake: EnvironmentIntake, nowMs: number): void {
    const { bytes, position, writtenAt } = part;
    // What was written later than now is told by a clock that was set back.
    this.#atMs = Math.max(this.#atMs, Math.min(nowMs, writtenAt.getTime()));
    const begin = position - bytes.length;
    if (begin > this.readTo) this.#skipLost(begin, intake, nowMs);
    if (bytes.length === 0) return;
    const all = this.#held.length > 0 ? Buffer.concat([this.#held, bytes]) : bytes;
    this.#held = all.subarray(0, 0);
    let rest = this.#pushLines(all, intake, nowMs);
    while (rest.length >= LONGEST_PART_BYTES) rest = this.#pushPart(rest, intake, nowMs);
    // A copy: the whole part that was read would be kept for the sake of its end.
    this.#held = Buffer.from(rest);
  }

  /** Nothing will complete it. */
  finish(intake: EnvironmentIntake, nowMs: number): void {
    const rest = this.#held;
    this.#held = rest.subarray(0, 0);
    if (rest.length > 0) this.#pushPart(rest, intake, nowMs);
  }

  /** What was dropped has been told. */
  leaveBehind(): void {
    this.#takenTo = this.#passedTo;
  }

  #skipLost(begin: number, intake: EnvironmentIntake, nowMs: number): void {
    const lost = begin - this.readTo;
    this.finish(intake, nowMs);
    intake.lose(lost, this.#atMs);
    this.#pass(lost, intake);
  }

  /** Gives what is behind the last newline. */
  #pushLines(all: Buffer, intake: EnvironmentIntake, nowMs: number): Buffer {
    const end = endOfLines(all);
    if (end === 0) return all;
    const lines = all.subarray(0, end);
    const count = countLines(lines);
    const allowed = intake.allow(count, { nowMs, isBacklog: this.#passedTo + end <= this.#backlogTo! });
    const taken = allowed === count ? lines : lines.subarray(0, endOfLine(lines, allowed));
    for (const text of allowed > 0 ? decodeLines(taken) : []) this.#add(text, intake, nowMs);
    this.#pass(taken.length, intake);
    if (allowed < count) {
      intake.drop({ lines: count - allowed, bytes: end - taken.length, atMs: this.#atMs }, nowMs);
    }
    this.#pass(end - taken.length, intake);
    return all.subarray(end);
  }

  #pushPart(rest: Buffer, intake: EnvironmentIntake, nowMs: number): Buffer {
    const end = wholeCharacters(rest, LONGEST_PART_BYTES);
    if (intake.allow(1, { nowMs, isBacklog: false }) === 1) this.#add(decodePart(rest.subarray(0, end)), intake, nowMs);
    else intake.drop({ lines: 1, bytes: end, atMs: this.#atMs }, nowMs);
    this.#pass(end, intake);
    return rest.subarray(end);
  }

  #add(text: string, intake: EnvironmentIntake, nowMs: number): void {
    const message = makeSafe(text);
    intake.add({ atMs: this.#atMs, severity: this.#severities.read(message), message, ...this.#labels }, nowMs);
  }

  #pass(bytes: number, intake: EnvironmentIntake): void {
    this.#passedTo += bytes;
    if (!intake.isDropping) this.#takenTo = this.#passedTo;
  }
}
