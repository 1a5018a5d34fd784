import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { EngineRefused } from '../../engine.ts';
import { nameOf, readTables, type Table } from './tables.ts';

/** One view of a database, in which no table can change its shape until the transaction ends. */
export interface Snapshot {
  /** For other sessions to have the same view. */
  id: string;
  tables: Table[];
}

/** What may go wrong because somebody changed a table at that very moment. */
const WAIT_MS = 200;
const ATTEMPTS = 20;
const LOCKED_AT_A_TIME = 200;
/** Undefined table, undefined schema, lock timeout, deadlock: somebody changes tables. */
const PASSING = new Set(['42P01', '3F000', '55P03', '40P01']);

/** Longer than a statement that changes a table usually has it for itself. */
const LOCK_TIMEOUT = '5min';

/**
 * Begins a transaction that sees the database as it is now, and does what needs its tables to stay as they are. Locks
 * come before the view: so what the catalogue says of a table is what is in it. `work` may reject with `StillMoving`.
 */
export async function holdStill<T>(
  client: pg.Client,
  signal: AbortSignal,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  await client.query(`set lock_timeout = '${LOCK_TIMEOUT}'`);
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    try {
      return await work(await takeSnapshot(client));
    } catch (error) {
      const isPassing = error instanceof StillMoving || PASSING.has((error as { code?: string }).code ?? '');
      if (!isPassing) throw error;
      if (attempt === ATTEMPTS) throw new EngineRefused(REFUSAL, { cause: error });
      await client.query('rollback');
      await delay(WAIT_MS, undefined, { signal });
    }
  }
}

const REFUSAL =
  'Tables of the database are being changed all the time, so it cannot be written down; try again when that is over.';

/** Somebody waits to change a table that we hold, and we would wait for him. */
export class StillMoving extends Error {}

async function takeSnapshot(client: pg.Client): Promise<Snapshot> {
  const expected = await readTables(client);
  await client.query('begin isolation level repeatable read read only');
  for (let at = 0; at < expected.length; at += LOCKED_AT_A_TIME) {
    const names = expected.slice(at, at + LOCKED_AT_A_TIME).map(nameOf);
    await client.query(`lock table only ${names.join(', only ')} in access share mode`);
  }
  await assertHeld(client, expected);
  const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id');
  const tables = await readTables(client);
  if (JSON.stringify(tables) !== JSON.stringify(expected)) throw new StillMoving('Tables came or went.');
  return { id: rows[0]?.id ?? '', tables };
}

/** They were locked by name: while schemas change theirs, that may be others. */
async function assertHeld(client: pg.Client, expected: readonly Table[]): Promise<void> {
  const { rowCount } = await client.query(
    `select from unnest($1::oid[]) as oid where oid not in (
       select relation from pg_locks
       where pid = pg_backend_pid() and locktype = 'relation' and granted and relation is not null
     )`,
    [expected.map(({ oid }) => oid)],
  );
  if (rowCount !== 0) throw new StillMoving('Tables were renamed.');
}
