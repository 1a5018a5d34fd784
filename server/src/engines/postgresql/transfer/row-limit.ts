import type pg from 'pg';
import { CannotBeDumped } from '../../transfer.ts';
import { ROWS, rowLengthsOf } from './row-lengths.ts';
import { nameOf, type Table } from './tables.ts';

const MB = 1024 ** 2;

/** A server takes about four times the length of a row's text while it writes or reads it; more than it has ends it. */
const PART_OF_MEMORY = 0.25;
/** What PostgreSQL itself can hold as one text. */
const LONGEST_MB = 1000;

/** What one row may have as text: what this server can write down, and load again. */
export const longestRowBytes = (memoryMb: number): number =>
  Math.min(LONGEST_MB, Math.floor(memoryMb * PART_OF_MEMORY)) * MB;

/**
 * Asks how long the longest rows are, of tables that have large values at all. These are not read for that. Where the
 * most that a row could have is too much, it is asked more closely, which takes longer.
 */
export async function assertRowsFit(
  client: pg.Client,
  {
    tables,
    nameToday,
    longestBytes,
  }: {
    tables: readonly Table[];
    nameToday: (oid: string) => Promise<string>;
    longestBytes: number;
  },
): Promise<void> {
  const lengths = await rowLengthsOf(client, tables, longestBytes);
  for (const table of tables) {
    const { bound, exact } = lengths.get(table.oid) ?? {};
    if (bound === undefined) continue;
    const ask = async (question: string): Promise<number> =>
      (await client.query<{ bytes: number | null }>(question)).rows[0]?.bytes ?? 0;
    const rows = async () => `from only ${await nameToday(table.oid)} as ${ROWS}`;
    const isOwn = `${ROWS}.tableoid = ${table.oid}`;
    let bytes = await ask(`select pg_catalog.max(${bound})::float8 as bytes ${await rows()} where ${isOwn}`);
    if (bytes > longestBytes && exact) {
      bytes = await ask(
        `with sizes as materialized (${exact.sizes}) select pg_catalog.max(${exact.length})::float8 as bytes
         ${await rows()} ${exact.joins} where ${isOwn} and ${bound} > ${longestBytes}`,
      );
    }
    if (bytes > longestBytes) throw new CannotBeDumped(tooLarge(table, bytes, longestBytes));
  }
}

/**
 * Looks at what is written: backslashes, tabs and line breaks take two bytes there, and as much has to be read again.
 * Only a row that goes on from one piece to the next can be too long, since a piece is short.
 */
export function watchLines(table: Table, longestBytes: number): (piece: Buffer) => void {
  let bytes = 0;
  return (piece) => {
    const firstEnd = piece.indexOf(LINE_BREAK);
    bytes += firstEnd === -1 ? piece.length : firstEnd;
    if (bytes > longestBytes) throw new CannotBeDumped(tooLarge(table, bytes, longestBytes));
    if (firstEnd !== -1) bytes = piece.length - piece.lastIndexOf(LINE_BREAK) - 1;
  };
}

const LINE_BREAK = 0x0a;

const tooLarge = (table: Table, bytes: number, longestBytes: number): string =>
  `A row of the table ${nameOf(table)} counts for about ${Math.ceil(bytes / MB)} MB of text, and the memory of this ` +
  `database's server is enough for ${Math.floor(longestBytes / MB)} MB: to write more would end it. Spread what is in ` +
  'the row over several, or choose a larger tier, then try again.';

/** After the server has ended itself over a row, in spite of everything: another attempt would end it again. */
export const endedOver = (table: Table | null): CannotBeDumped =>
  new CannotBeDumped(
    `The server of this database ended the session ${table ? `while it wrote the table ${nameOf(table)}` : 'of the dump'}, ` +
      'most likely because a row needs more memory than its tier has. It is not tried again by itself. Choose a larger ' +
      'tier, or spread what is in the row over several.',
  );
