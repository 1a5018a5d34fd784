import { sql } from 'kysely';
import type { Db } from '../../db/pool.ts';
import { newId } from '../../lib/ids.ts';
import { createApplication, productionOf, unique } from '../../testing/factories.ts';
import { eventually } from '../../testing/eventually.ts';
import { createTestStore, type TestStore } from '../../testing/test-store.ts';
import { decodeChunk } from '../log-chunk.ts';
import type { LogEntry, NumberedEntry } from '../log-entry.ts';
import { readChunks } from '../log-store.ts';

/** What a test does not care about is filled in. */
export function entry(values: Partial<LogEntry> & Pick<LogEntry, 'message'>): LogEntry {
  return { atMs: Date.now(), severity: 'INFO', instanceId: null, deploymentId: null, ...values };
}

export interface LogWorld extends AsyncDisposable {
  store: TestStore;
  db: Db;
  organisationId: string;
  /** The first of them. */
  environmentId: string;
  environmentIds: string[];
  readAll(environmentId?: string): Promise<NumberedEntry[]>;
  usage(environmentId?: string): Promise<{ day: string; lines: string; bytes: string; dropped_lines: string }[]>;
  /** Until a statement of this store waits for a lock. */
  someoneWaits(): Promise<void>;
}

/** A store with environments that can have logs. */
export async function createLogWorld({ environments = 1 }: { environments?: number } = {}): Promise<LogWorld> {
  const store = await createTestStore();
  const { db } = store;
  const organisationId = newId('org');
  await db
    .insertInto('organisations')
    .values({ id: organisationId, name: 'Logs', slug: unique('logs'), plan: 'pro' })
    .execute();
  const environmentIds: string[] = [];
  for (let count = 0; count < environments; count++) {
    const application = await createApplication({ store }, { organisationId });
    environmentIds.push((await productionOf({ store }, application.id)).id);
  }
  const environmentId = environmentIds[0]!;
  return {
    store,
    db,
    organisationId,
    environmentId,
    environmentIds,
    readAll: (id = environmentId) => readAllLines(db, id),
    usage: (id = environmentId) =>
      db
        .selectFrom('log_usage')
        .select([sql<string>`day::text`.as('day'), 'lines', 'bytes', 'dropped_lines'])
        .where('environment_id', '=', id)
        .orderBy('day')
        .execute(),
    someoneWaits: () => eventually('somebody waits for a lock', () => isWaiting(db)),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

export async function readAllLines(db: Db, environmentId: string): Promise<NumberedEntry[]> {
  const rows = await readChunks(db, { environmentId, afterLine: 0, limit: 100_000, order: 'asc' });
  const chunks = await Promise.all(rows.map(decodeChunk));
  return chunks.flatMap((chunk) => chunk.entries());
}

async function isWaiting(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length > 0;
}
