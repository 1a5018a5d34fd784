import pg from 'pg';
import type { Sink } from '../../write-to-sink.ts';
import { isCustomers, nameOf } from './tables.ts';

interface Sequence {
  oid: string;
  schema: string;
  name: string;
}

/** How to ask for it. */
export interface SequenceClients {
  /** In the view that everything else is written from. */
  inView: pg.Client;
  /** Outside of it: what is looked at in a transaction stays locked to its end, and a server has only so many locks. */
  aside: pg.Client;
}

/** Where every sequence is. They move on outside of transactions: now they are at least where the rows say. */
export async function dumpSequences({ inView, aside }: SequenceClients, sink: Sink): Promise<void> {
  const { rows: sequences } = await inView.query<Sequence>(`
    ${SEQUENCES} where c.relkind = 'S' and ${isCustomers('c', 'n')}
    order by n.nspname, c.relname`);
  if (sequences.length === 0) return;
  // Somebody may have given one another name meanwhile.
  const { rows: today } = await aside.query<Sequence>(`${SEQUENCES} where c.oid = any($1::oid[])`, [
    sequences.map(({ oid }) => oid),
  ]);
  const todaysNames = new Map(today.map((sequence) => [sequence.oid, nameOf(sequence)]));
  for (const sequence of sequences) {
    const state = await stateOf(aside, todaysNames.get(sequence.oid));
    if (!state) continue;
    const { last, called } = state;
    await sink.write(`SELECT pg_catalog.setval(${pg.escapeLiteral(nameOf(sequence))}, ${last}, ${called});\n`);
  }
  await sink.write('\n');
}

const SEQUENCES = `
  select c.oid::text as oid, n.nspname as schema, c.relname as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace`;

const UNDEFINED_TABLE = '42P01';

/** Null for one that is no more. */
async function stateOf(client: pg.Client, name: string | undefined): Promise<{ last: string; called: boolean } | null> {
  if (name === undefined) return null;
  try {
    const { rows } = await client.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from ${name}`,
    );
    return rows[0] ?? null;
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return null;
    throw error;
  }
}
