import type { DatabaseRow } from '../../../db/schema.ts';
import { EngineRefused } from '../../../engines/engine.ts';
import { RowMissing, StatementRefused, TableMissing, type Explorer } from '../../../engines/explorer.ts';
import { conflict, Fault, notFound } from '../../../lib/fault.ts';
import { createSemaphore, type Semaphore } from '../../../lib/semaphore.ts';
import type { DatabasesDeps } from '../databases-deps.ts';
import { hasOtherPassword, OTHER_PASSWORD } from '../other-password.ts';
import { findDatabase } from '../database-store.ts';
import { openPassword } from '../password.ts';
import { serversOf } from '../server-store.ts';
import { mustBeShut } from '../shut-doors.ts';

/** Statements of one database that run at a time, and those that may wait for them. */
const AT_A_TIME = 4;
const WAITING = 16;

/** Of all databases of an organisation together: each may need some memory of ours. */
const OF_ORGANISATION = 8;

type Explore = <T>(database: DatabaseRow, work: (explorer: Explorer) => Promise<T>) => Promise<T>;

export interface ExploreDatabase {
  /** When it is its turn. */
  inTurn: Explore;
  /** At once: what ends a statement must not wait for it. */
  atOnce: Explore;
}

/** Lets work look into a database as its owner, and says in the API's words what went wrong. */
export function createExplore(deps: Pick<DatabasesDeps, 'store' | 'keyring' | 'engines'>): ExploreDatabase {
  const turns = new Map<string, Semaphore>();
  const inTurnOf = async <T>(id: string, atATime: number, work: () => Promise<T>): Promise<T> => {
    const turn = turns.get(id) ?? createSemaphore(atATime);
    turns.set(id, turn);
    try {
      return await turn.run(work);
    } finally {
      if (turn.isIdle) turns.delete(id);
    }
  };
  const atOnce: Explore = async (database, work) => {
    try {
      return await work(await openExplorer(deps, database));
    } catch (error) {
      throw asFault(error, database);
    }
  };
  return {
    atOnce,
    async inTurn(database, work) {
      const { id, organisation_id: organisationId } = database;
      const waiting = turns.get(id)?.waiting ?? 0;
      if (waiting >= WAITING) throw new Fault('SV002', TOO_MANY, { retryAfterSeconds: 5 });
      return await inTurnOf(id, AT_A_TIME, () =>
        inTurnOf(organisationId, OF_ORGANISATION, () => atOnce(database, work)),
      );
    },
  };
}

const TOO_MANY = 'Too many statements are waiting for this database. Try again when some have ended.';
const AWAY = 'The database does not answer at the moment. Try again shortly; its status tells how it is.';

/**
 * What servers say of a write that they were told to refuse, for whatever reason: their words for it cannot be chosen.
 */
const REFUSED_WRITE = /read-only|command denied to user/;

function withReason(words: string, { is_full, storage_gb }: DatabaseRow): string {
  if (!is_full || !REFUSED_WRITE.test(words)) return words;
  return `${words} The storage of this database (${storage_gb} GB) is nearly used up, so that writes are refused: give it more, or drop or truncate tables, which is still allowed here.`;
}

async function openExplorer(
  { store, keyring, engines }: Pick<DatabasesDeps, 'store' | 'keyring' | 'engines'>,
  database: DatabaseRow,
): Promise<Explorer> {
  if (!['healthy', 'degraded', 'updating'].includes(database.status)) {
    throw conflict(`This database is ${database.status}: the explorer cannot open it.`);
  }
  assertOpen(database);
  const [primary] = await serversOf(store.db, database.id);
  if (!primary) throw new Fault('SV002', AWAY);
  const { database_name: databaseName, admin_user: user } = database;
  const password = openPassword(keyring, database);
  // An import that has begun by then is seen here; one that begins later ends the sessions that are there.
  const onceIn = async () => assertOpen((await findDatabase(store.db, database.id)) ?? database);
  return engines[database.database_type].explorer({ serverId: primary.id, databaseName, user, password, onceIn });
}

const IMPORTING =
  'An import into this database is under way, and the explorer is shut until it has ended. Try again then; its status tells.';

/** What is read now is half of something, and what is written would be gone where the import fails. */
function assertOpen(database: DatabaseRow): void {
  if (mustBeShut(database)) throw conflict(IMPORTING);
}

function asFault(error: unknown, database: DatabaseRow): unknown {
  if (error instanceof StatementRefused) return new Fault('DB001', withReason(error.message, database));
  if (error instanceof TableMissing) return new Fault('NF001', error.message);
  if (error instanceof RowMissing) return notFound('Row');
  if (hasOtherPassword(error)) return conflict(`The database did not let the explorer in: ${OTHER_PASSWORD}`);
  if (error instanceof EngineRefused) return new Fault('SV002', AWAY, { cause: error, retryAfterSeconds: 5 });
  return error;
}
