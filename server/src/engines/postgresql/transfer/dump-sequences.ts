import pg from 'pg';
import type { Sink } from '../../write-to-sink.ts';
import { isCustomers, nameOf } from './tables.ts';

/** Where every sequence is. They move on outside of transactions, so this comes after the view of the rows. */
export async function dumpSequences(client: pg.Client, sink: Sink): Promise<void> {
  const { rows } = await client.query<{ schema: string; name: string }>(`
    select n.nspname as schema, c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'S' and ${isCustomers('c', 'n')}
    order by n.nspname, c.relname`);
  for (const sequence of rows) {
    const state = await client.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from ${nameOf(sequence)}`,
    );
    const { last = '1', called = false } = state.rows[0] ?? {};
    await sink.write(`SELECT pg_catalog.setval(${pg.escapeLiteral(nameOf(sequence))}, ${last}, ${called});\n`);
  }
  if (rows.length > 0) await sink.write('\n');
}
