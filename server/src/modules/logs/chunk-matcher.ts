import type { DecodedChunk } from '../../logs/decoded-chunk.ts';
import type { NumberedEntry } from '../../logs/log-entry.ts';
import { compileFilter, compileTextSearch, severityMask, type LogFilter, type LogMatch } from './log-filter.ts';

/** Finds what matches in a chunk without making objects of most of its lines. */
export class ChunkMatcher {
  readonly #matches: LogMatch;
  readonly #canBeIn: (text: string) => boolean;
  readonly #mask: number;

  constructor(filter: LogFilter) {
    this.#matches = compileFilter(filter);
    this.#canBeIn = compileTextSearch(filter.textSearch);
    this.#mask = severityMask(filter.severities);
  }

  /** Those before a line: a chunk may reach beyond it, when it was merged since the look before. */
  *newestFirst(chunk: DecodedChunk, beforeLine = Infinity): Generator<NumberedEntry> {
    if (!this.#canBeIn(chunk.text)) return;
    for (let line = Math.min(chunk.lastLine, beforeLine - 1); line >= chunk.firstLine; line--) {
      const index = line - chunk.firstLine;
      if (((1 << chunk.severityIndexAt(index)) & this.#mask) === 0) continue;
      const entry = chunk.entryAt(index);
      if (this.#matches(entry)) yield entry;
    }
  }
}
