import type { Db } from '../../db/pool.ts';
import { decodeChunk } from '../../logs/log-chunk.ts';
import { readChunks } from '../../logs/log-store.ts';
import type { LineReader } from './line-reader.ts';
import { SharedChunk } from './shared-chunk.ts';

export interface Wanted {
  environmentId: string;
  /** The newest line there is. */
  head: number;
  /** So many earlier lines that match. */
  lines: number;
  severityMask: number;
  reader: LineReader;
}

const CHUNKS_AT_ONCE = 4;
/** Whoever looks for something rare gets what is found in so many; for the rest there is the search. */
const MAX_CHUNKS = 60;

/** The line after which the wanted ones begin. */
export async function findStart(db: Db, { environmentId, head, lines, severityMask, reader }: Wanted): Promise<number> {
  let start = head;
  let found = 0;
  let beforeLine = head + 1;
  for (let looked = 0; looked < MAX_CHUNKS && found < lines; looked += CHUNKS_AT_ONCE) {
    const query = { environmentId, beforeLine, severityMask, limit: CHUNKS_AT_ONCE, order: 'desc' } as const;
    const rows = await readChunks(db, query);
    for (const row of rows) {
      const chunk = new SharedChunk(await decodeChunk(row));
      for (const number of reader.numbersUpTo(beforeLine - 1, chunk)) {
        start = number - 1;
        if (++found === lines) return start;
      }
      beforeLine = chunk.firstLine;
    }
    if (rows.length < CHUNKS_AT_ONCE) break;
  }
  return start;
}
