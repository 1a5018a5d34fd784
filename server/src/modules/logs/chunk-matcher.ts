import type { DecodedChunk } from '../../logs/decoded-chunk.ts';
import type { NumberedEntry } from '../../logs/log-entry.ts';
import { compileForChunks, type CompiledFilter, type LogFilter } from './log-filter.ts';

/** Finds what matches in a chunk without making objects of most of its lines. */
export class ChunkMatcher {
  readonly #filter: CompiledFilter;

  constructor(filter: LogFilter) {
    this.#filter = compileForChunks(filter);
  }

  /** Those before a line: a chunk may reach beyond it, when it was merged since the look before. */
  *newestFirst(chunk: DecodedChunk, beforeLine = Infinity): Generator<NumberedEntry> {
    const { canBeIn, mask, matches } = this.#filter;
    if (!canBeIn(chunk.text)) return;
    for (let line = Math.min(chunk.lastLine, beforeLine - 1); line >= chunk.firstLine; line--) {
      const index = line - chunk.firstLine;
      if (((1 << chunk.severityIndexAt(index)) & mask) === 0) continue;
      const entry = chunk.entryAt(index);
      if (matches(entry)) yield entry;
    }
  }
}
