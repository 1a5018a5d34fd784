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
/** Undefined table, undefined schema, deadlock: somebody changes tables. */
const PASSING = new Set(['42P01', '3F000', '40P01']);
const LOCKED_OUT = '55P03';

/** Longer than a statement that changes a table usually has it for itself; whoever holds one holds up its backup too. */
export const LOCK_WAIT_MS = 30_000;
/** However often tables change meanwhile. */
const PATIENCE_MS = 3 * 60_000;

/**
 * Begins a transaction that sees the database as it is now, and does what needs its tables to stay as they are. Locks
 * come before the view: so what the catalogue says of a table is what is in it. `work` may reject with `StillMoving`.
 */
export async function holdStill<T>(
  client: pg.Client,
  { signal, lockWaitMs }: { signal: AbortSignal; lockWaitMs: number },
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  await client.query(`set lock_timeout = ${lockWaitMs}`);
  const deadline = performance.now() + PATIENCE_MS;
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    try {
      return await work(await takeSnapshot(client));
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (code === LOCKED_OUT) throw new EngineRefused(await lockedWords(client, lockWaitMs), { cause: error });
      const isPassing = error instanceof StillMoving || PASSING.has(code);
      if (!isPassing) throw error;
      if (attempt === ATTEMPTS || performance.now() > deadline) throw new EngineRefused(REFUSAL, { cause: error });
      await client.query('rollback');
      await delay(WAIT_MS, undefined, { signal });
    }
  }
}

const REFUSAL =
  'Tables of the database are being changed all the time, so it cannot be written down; try again when that is over.';

/** Who has to let go of what. */
async function lockedWords(client: pg.Client, lockWaitMs: number): Promise<string> {
  await client.query('rollback');
  const { rows } = await client.query<{ name: string; pid: number }>(
    `select distinct relation::regclass::text as name, pid from pg_locks
     where locktype = 'relation' and mode = 'AccessExclusiveLock' and granted
       and database = (select oid from pg_database where datname = current_database()) and relation >= 16384
     order by name limit 3`,
  );
  const held = rows.map(({ name, pid }) => `${name} (by the session ${pid})`).join(', ') || 'a table';
  return (
    `Another session has locked ${held} for more than ${lockWaitMs / 1000} s, so that the database could not be read: ` +
    'end its transaction, or the session with pg_terminate_backend, then try again.'
  );
}

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
