import type { Db } from '../../db/pool.ts';
import type { DecodedChunk } from '../../logs/decoded-chunk.ts';
import { decodeChunk } from '../../logs/log-chunk.ts';
import { readChunks, type ChunkQuery, type ChunkRow } from '../../logs/log-store.ts';

/** How much one request looks through, whatever it finds. */
export interface SearchBudget {
  chunks: number;
  /** How many bytes of text. */
  bytes: number;
}

export interface Walk {
  query: Omit<ChunkQuery, 'limit' | 'order'>;
  budget: SearchBudget;
  /** Whether the store may be asked for what comes next before that is wanted. */
  mayReadAhead: () => boolean;
}

/** What is in memory at once. The first look is short: mostly the newest lines are all that is wanted. */
const FIRST_PAGE = 8;
const PAGE = 32;

interface Page {
  rows: ChunkRow[];
  /** The store has nothing older. */
  isLast: boolean;
}

export interface ChunkPage {
  /** The newest first. */
  chunks: DecodedChunk[];
  /** The store has nothing older. */
  isLast: boolean;
  /** No other page follows: it is the last, or the budget is spent. */
  isEnd: boolean;
}

/** The chunks that may have what is looked for, the newest first. */
export async function* walkBack(db: Db, { query, budget, mayReadAhead }: Walk): AsyncGenerator<ChunkPage, void> {
  const read = async (beforeLine: number | undefined, limit: number): Promise<Page> => {
    const rows = await readChunks(db, { ...query, beforeLine, limit, order: 'desc' });
    return { rows, isLast: rows.length < limit };
  };
  const left = { ...budget };
  let page = await read(query.beforeLine, FIRST_PAGE);
  for (let isFirst = true; ; isFirst = false) {
    spend(left, page.rows);
    const { isLast } = page;
    const isEnd = isLast || left.chunks <= 0 || left.bytes <= 0;
    const before = page.rows.at(-1)?.firstLine;
    // Whoever comes so far looks for something rare: the store reads the next page while this one is looked at.
    const next = isEnd || isFirst || !mayReadAhead() ? null : readAhead(read(before, PAGE));
    yield { chunks: await Promise.all(page.rows.map(decodeChunk)), isLast, isEnd };
    if (isEnd) return;
    page = await (next ?? read(before, PAGE));
  }
}

function spend(left: SearchBudget, rows: readonly ChunkRow[]): void {
  left.chunks -= rows.length;
  for (const { bytes } of rows) left.bytes -= bytes;
}

/** Nobody may be there any more to hear of its failure. */
function readAhead(reading: Promise<Page>): Promise<Page> {
  reading.catch(() => {});
  return reading;
}
