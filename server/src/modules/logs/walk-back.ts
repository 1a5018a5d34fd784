import type { Db } from '../../db/pool.ts';
import type { DecodedChunk } from '../../logs/decoded-chunk.ts';
import { decodeChunk } from '../../logs/log-chunk.ts';
import { readChunks, type ChunkQuery, type ChunkRow } from '../../logs/log-store.ts';

/** How much one request looks through, whatever it finds. */
export interface SearchBudget {
  chunks: number;
  /** Of text. */
  bytes: number;
}

/** What is in memory at once. The first look is short: mostly the newest lines are all that is wanted. */
const FIRST_PAGE = 8;
const PAGE = 32;

interface Page {
  rows: ChunkRow[];
  /** There is nothing older. */
  isLast: boolean;
}

/** The chunks that may have what is looked for, the newest first. Returns whether that was all. */
export async function* walkBack(
  db: Db,
  query: Omit<ChunkQuery, 'limit' | 'order'>,
  budget: SearchBudget,
): AsyncGenerator<DecodedChunk, boolean> {
  const read = async (beforeLine: number | undefined, limit: number): Promise<Page> => {
    const rows = await readChunks(db, { ...query, beforeLine, limit, order: 'desc' });
    return { rows, isLast: rows.length < limit };
  };
  const left = { ...budget };
  let page = await read(query.beforeLine, FIRST_PAGE);
  let next: Promise<Page> | undefined;
  for (;;) {
    spend(left, page.rows);
    const isEnd = page.isLast || left.chunks <= 0 || left.bytes <= 0;
    const before = page.rows.at(-1)?.firstLine;
    // Whoever comes so far looks for something rare: the store reads the next page while this one is looked at.
    if (!isEnd && next) next = readAhead(read(before, PAGE));
    for (const chunk of await Promise.all(page.rows.map(decodeChunk))) yield chunk;
    if (isEnd) return page.isLast;
    next ??= read(before, PAGE);
    page = await next;
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
