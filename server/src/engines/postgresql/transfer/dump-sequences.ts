import pg from 'pg';
import { EngineRefused } from '../../engine.ts';
import type { Sink } from '../../write-to-sink.ts';
import { placesToday } from './names-today.ts';
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
    select c.oid::text as oid, n.nspname as schema, c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'S' and ${isCustomers('c', 'n')}
    order by n.nspname, c.relname`);
  if (sequences.length === 0) return;
  for (const sequence of sequences) {
    const state = await stateOf(aside, sequence.oid);
    if (!state) continue;
    const { last, called } = state;
    await sink.write(`SELECT pg_catalog.setval(${pg.escapeLiteral(nameOf(sequence))}, ${last}, ${called});\n`);
  }
  await sink.write('\n');
}

interface State {
  oid: string | number;
  last: string;
  called: boolean;
}

const ATTEMPTS = 20;
const MOVED = 'Sequences of the database were renamed while it was written down; try again when that is over.';
/** Undefined table, undefined schema, undefined column: something else has its name. */
const ELSEWHERE = new Set(['42P01', '3F000', '42703']);

/**
 * Null for one that is no more. Somebody may give it another name meanwhile, and its name to something else: what is
 * read says itself what it is. Nothing is cast, since an owner may make casts of his types.
 */
async function stateOf(aside: pg.Client, oid: string): Promise<State | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const place = (await placesToday(aside, [oid])).get(oid);
    if (!place) return null;
    try {
      const { rows } = await aside.query<State>(
        `select tableoid as oid, last_value as last, is_called as called from ${place.name} limit 1`,
      );
      const state = rows.find((row) => String(row.oid) === oid);
      if (state) return state;
    } catch (error) {
      if (!ELSEWHERE.has((error as { code?: string }).code ?? '')) throw error;
    }
  }
  throw new EngineRefused(MOVED);
}
