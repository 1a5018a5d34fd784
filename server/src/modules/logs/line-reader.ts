import { compileFilter, compileTextSearch, severityMask, type LogFilter, type LogMatch } from './log-filter.ts';
import type { LogStreamItem, SharedChunk } from './shared-chunk.ts';

/** What is written at once: a slow reader holds no more than this. */
const BATCH_LINES = 250;
const BATCH_CHARACTERS = 64 * 1024;

/** Finds the lines of chunks that match. */
export class LineReader {
  readonly #matches: LogMatch;
  readonly #canBeIn: (text: string) => boolean;
  readonly #mask: number;

  constructor(filter: LogFilter) {
    this.#matches = compileFilter(filter);
    this.#canBeIn = compileTextSearch(filter.textSearch);
    this.#mask = severityMask(filter.severities);
  }

  /** Those after a line, in batches that can be written at once. */
  *batchesAfter(line: number, chunk: SharedChunk): Generator<LogStreamItem[]> {
    if (!this.#canBeIn(chunk.text)) return;
    let batch: LogStreamItem[] = [];
    let characters = 0;
    for (let number = Math.max(line + 1, chunk.firstLine); number <= chunk.lastLine; number++) {
      if ((chunk.severityBitAt(number) & this.#mask) === 0) continue;
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
}
