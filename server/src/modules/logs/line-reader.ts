import { compileFilter, compileTextSearch, type LogFilter, type LogMatch } from './log-filter.ts';
import type { LogStreamItem, SharedChunk } from './shared-chunk.ts';

/** What is written at once: a slow reader holds no more than this. */
const BATCH_LINES = 250;
const BATCH_CHARACTERS = 64 * 1024;

/** Finds the lines of chunks that match. */
export class LineReader {
  readonly #matches: LogMatch;
  readonly #canBeIn: (text: string) => boolean;

  constructor(filter: LogFilter) {
    this.#matches = compileFilter(filter);
    this.#canBeIn = compileTextSearch(filter.textSearch);
  }

  /** Those after a line, in batches that can be written at once. */
  *batchesAfter(line: number, chunk: SharedChunk): Generator<LogStreamItem[]> {
    if (!this.#canBeIn(chunk.text)) return;
    let batch: LogStreamItem[] = [];
    let characters = 0;
    for (let number = Math.max(line + 1, chunk.firstLine); number <= chunk.lastLine; number++) {
      const { entry, item } = chunk.lineAt(number);
      if (!this.#matches(entry)) continue;
      batch.push(item);
      characters += entry.message.length;
      if (batch.length < BATCH_LINES && characters < BATCH_CHARACTERS) continue;
      yield batch;
      batch = [];
      characters = 0;
    }
    if (batch.length > 0) yield batch;
  }

  /** The numbers of those up to a line, the newest first. */
  *numbersUpTo(line: number, chunk: SharedChunk): Generator<number> {
    if (!this.#canBeIn(chunk.text)) return;
    for (let number = Math.min(line, chunk.lastLine); number >= chunk.firstLine; number--) {
      if (this.#matches(chunk.lineAt(number).entry)) yield number;
    }
  }
}
