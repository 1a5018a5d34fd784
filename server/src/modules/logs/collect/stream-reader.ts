import { makeSafe } from '../../../logs/make-safe.ts';
import { SeverityReader } from '../../../logs/severity-reader.ts';
import type { EnvironmentIntake, Line } from './environment-intake.ts';
import { countLines, decodeLines, decodePart, endOfLine, endOfLines, wholeCharacters } from './cut-lines.ts';

/** What has no newline after so much is a line nevertheless. */
export const LONGEST_PART_BYTES = 128 * 1024;
/** What was written in a shorter time has one time. */
const SPREAD_MS = 1000;

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
  /** All before is in the intake, or stored. */
  #takenTo: number;
  /** All before is that, or dropped. */
  #passedTo: number;
  /** Of the last line. */
  #atMs = 0;
  /** What is read next was written since. */
  #sinceMs: number;

  constructor(
    stream: 'stdout' | 'stderr',
    labels: Labels,
    { position, readAtMs }: { position: number; readAtMs: number },
  ) {
    this.#sinceMs = readAtMs;
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

  push(part: StreamBytes, intake: EnvironmentIntake, nowMs: number): void {
    const { bytes, position } = part;
    const fromMs = this.#passTime(part, nowMs);
    const begin = position - bytes.length;
    if (begin > this.readTo) this.#skipLost(begin, intake, nowMs);
    if (bytes.length === 0) return;
    const all = this.#held.length > 0 ? Buffer.concat([this.#held, bytes]) : bytes;
    this.#held = all.subarray(0, 0);
    let rest = this.#pushLines(all, intake, { fromMs, nowMs });
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

  noteSilence(nowMs: number): void {
    this.#sinceMs = nowMs;
  }

  /** What was dropped has been told. */
  leaveBehind(): void {
    this.#takenTo = this.#passedTo;
  }

  /**
   * Comes to the time of the part's end, and gives that of its beginning. Of what was written in a longer time, only
   * the last moment is known: it is taken as written evenly.
   */
  #passTime({ bytes, unreadBytes, writtenAt }: StreamBytes, nowMs: number): number {
    // What was written later than now is told by a clock that was set back.
    const untilMs = Math.max(this.#atMs, Math.min(nowMs, writtenAt.getTime()));
    const sinceMs = Math.max(this.#atMs, this.#sinceMs);
    const isLong = untilMs - sinceMs >= SPREAD_MS && bytes.length > 0;
    const share = isLong ? bytes.length / (bytes.length + unreadBytes) : 1;
    const fromMs = isLong ? sinceMs : untilMs;
    this.#atMs = Math.round(fromMs + (untilMs - fromMs) * share);
    this.#sinceMs = unreadBytes > 0 ? this.#atMs : nowMs;
    return fromMs;
  }

  #skipLost(begin: number, intake: EnvironmentIntake, nowMs: number): void {
    const lost = begin - this.readTo;
    this.finish(intake, nowMs);
    intake.lose(lost, this.#atMs);
    this.#pass(lost, intake);
  }

  /** Gives what is behind the last newline. */
  #pushLines(all: Buffer, intake: EnvironmentIntake, { fromMs, nowMs }: { fromMs: number; nowMs: number }): Buffer {
    const end = endOfLines(all);
    if (end === 0) return all;
    const lines = all.subarray(0, end);
    const count = countLines(lines);
    const allowed = intake.allow(count, nowMs);
    const taken = allowed === count ? lines : lines.subarray(0, endOfLine(lines, allowed));
    const stepMs = (this.#atMs - fromMs) / count;
    for (const [index, text] of allowed > 0 ? decodeLines(taken).entries() : []) {
      this.#add(text, intake, { nowMs, atMs: Math.round(fromMs + stepMs * (index + 1)) });
    }
    this.#pass(taken.length, intake);
    if (allowed < count) {
      intake.drop({ lines: count - allowed, bytes: end - taken.length, atMs: this.#atMs }, nowMs);
    }
    this.#pass(end - taken.length, intake);
    return all.subarray(end);
  }

  #pushPart(rest: Buffer, intake: EnvironmentIntake, nowMs: number): Buffer {
    const end = wholeCharacters(rest, LONGEST_PART_BYTES);
    if (intake.allow(1, nowMs) === 1) this.#addLast(rest.subarray(0, end), intake, nowMs);
    else intake.drop({ lines: 1, bytes: end, atMs: this.#atMs }, nowMs);
    this.#pass(end, intake);
    return rest.subarray(end);
  }

  #addLast(bytes: Buffer, intake: EnvironmentIntake, nowMs: number): void {
    this.#add(decodePart(bytes), intake, { nowMs, atMs: this.#atMs });
  }

  #add(text: string, intake: EnvironmentIntake, { nowMs, atMs }: { nowMs: number; atMs: number }): void {
    const message = makeSafe(text);
    intake.add({ atMs, severity: this.#severities.read(message), message, ...this.#labels }, nowMs);
  }

  #pass(bytes: number, intake: EnvironmentIntake): void {
    this.#passedTo += bytes;
    if (!intake.isDropping) this.#takenTo = this.#passedTo;
  }
}
