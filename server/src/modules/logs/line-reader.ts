import { compileForChunks, type CompiledFilter, type LogFilter } from './log-filter.ts';
import type { LogStreamItem, HubChunk } from './hub-chunk.ts';

/** What is written at once: a slow reader holds no more than this. */
const BATCH_LINES = 250;
const BATCH_CHARACTERS = 64 * 1024;

/** Finds the lines of chunks that match. */
export class LineReader {
  readonly #filter: CompiledFilter;

  constructor(filter: LogFilter) {
    this.#filter = compileForChunks(filter);
  }

  /** Those after a line, in batches that can be written at once. */
  *batchesAfter(line: number, chunk: HubChunk): Generator<LogStreamItem[]> {
    const { canBeIn, mask, matches } = this.#filter;
    if (!canBeIn(chunk.text)) return;
    let batch: LogStreamItem[] = [];
    let characters = 0;
    for (let number = Math.max(line + 1, chunk.firstLine); number <= chunk.lastLine; number++) {
      if ((chunk.severityBitAt(number) & mask) === 0) continue;
      const { entry, item } = chunk.lineAt(number);
      if (!matches(entry)) continue;
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
