import { severities } from '@lilac/contract/states';
import type { NumberedEntry } from './log-entry.ts';
import { HEADER_BYTES, PACK_VERSION, type Source } from './pack-entries.ts';

/** A chunk that was decompressed. Objects are made of its lines only when somebody asks for them. */
export class DecodedChunk {
  readonly firstLine: number;
  readonly lineCount: number;
  /** All messages, with a newline between two: whether a text can be in the chunk is told by one look. */
  readonly text: string;
  readonly #plain: Buffer;
  /** Where each message begins in the text, and where the next one would. */
  #starts: Uint32Array | undefined;
  #times: Float64Array | undefined;
  #sources: Source[] | undefined;

  constructor(firstLine: number, plain: Buffer) {
    if (plain[0] !== PACK_VERSION) throw new Error(`A chunk of logs has the unknown version ${plain[0]}.`);
    this.firstLine = firstLine;
    this.#plain = plain;
    this.lineCount = plain.readUInt16LE(1);
    this.text = plain.toString('utf8', this.#sourcesAt + this.#sourcesLength);
  }

  get lastLine(): number {
    return this.firstLine + this.lineCount - 1;
  }

  /** Which severity the line at an index has: its place among all of them. */
  severityIndexAt(index: number): number {
    return this.#plain[HEADER_BYTES + this.lineCount * 6 + index]!;
  }

  /** Indexes count from 0. */
  entryAt(index: number): NumberedEntry {
    this.#starts ??= this.#findStarts();
    this.#times ??= this.#readTimes();
    this.#sources ??= this.#readSources();
    const [instanceId, deploymentId] = this.#sources[this.#plain.readUInt16LE(this.#writersAt + index * 2)]!;
    return {
      line: this.firstLine + index,
      atMs: this.#times[index]!,
      severity: severities[this.severityIndexAt(index)]!,
      message: this.text.slice(this.#starts[index], this.#starts[index + 1]! - 1),
      instanceId,
      deploymentId,
    };
  }

  entries(): NumberedEntry[] {
    return Array.from({ length: this.lineCount }, (_, index) => this.entryAt(index));
  }

  get #writersAt(): number {
    return HEADER_BYTES + this.lineCount * 4;
  }

  get #sourcesAt(): number {
    return HEADER_BYTES + this.lineCount * 7;
  }

  get #sourcesLength(): number {
    return this.#plain.readUInt32LE(3);
  }

  #findStarts(): Uint32Array {
    const starts = new Uint32Array(this.lineCount + 1);
    for (let index = 1; index < this.lineCount; index++) starts[index] = this.text.indexOf('\n', starts[index - 1]) + 1;
    starts[this.lineCount] = this.text.length + 1;
    return starts;
  }

  #readTimes(): Float64Array {
    const times = new Float64Array(this.lineCount);
    let atMs = this.#plain.readDoubleLE(7);
    for (let index = 0; index < this.lineCount; index++) {
      atMs += this.#plain.readInt32LE(HEADER_BYTES + index * 4);
      times[index] = atMs;
    }
    return times;
  }

  #readSources(): Source[] {
    return JSON.parse(this.#plain.toString('utf8', this.#sourcesAt, this.#sourcesAt + this.#sourcesLength)) as Source[];
  }
}
