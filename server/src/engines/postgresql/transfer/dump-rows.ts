import pg from 'pg';
import { to as copyTo, type CopyToStreamQuery } from 'pg-copy-streams';
import type { Sink } from '../../write-to-sink.ts';
import { nameOf, type Table } from './tables.ts';

/** Gives how many rows there were. */
export async function dumpRows(client: pg.Client, tables: readonly Table[], sink: Sink): Promise<number> {
  const copies: CopyToStreamQuery[] = [];
  for (const table of tables) {
    // A table may have no columns at all, and rows all the same.
    const columns = table.columns.length > 0 ? ` (${table.columns.map(pg.escapeIdentifier).join(', ')})` : '';
    await sink.write(`COPY ${nameOf(table.target)}${columns} FROM stdin;\n`);
    const copy = client.query(copyTo(`copy ${nameOf(table)}${columns} to stdout`));
    copies.push(copy);
    for await (const piece of copy) await sink.write(piece as Buffer);
    await sink.write('\\.\n\n');
  }
  // How many rows it was is told after the last of them; with another answer all of that has been told.
  await client.query('select');
  return copies.reduce((sum, { rowCount }) => sum + rowCount, 0);
}
