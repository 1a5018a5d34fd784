import type { DatabaseStatus } from '@lilac/contract/states';
import type { Tx } from '../../db/pool.ts';
import type { DatabaseRow } from '../../db/schema.ts';
import { conflict, notFound } from '../../lib/fault.ts';
import { lockDatabase } from './database-store.ts';
import type { Resting, Settled } from './job-kinds.ts';
import { serversOf } from './server-store.ts';

/** The database as it is now, the caller's until the transaction ends. */
export async function holdDatabase(tx: Tx, id: string): Promise<DatabaseRow> {
  const database = await lockDatabase(tx, id);
  if (!database) throw notFound('Database');
  assertKept(database);
  return database;
}

export function assertKept({ status }: Pick<DatabaseRow, 'status'>): void {
  if (status === 'deleting') throw conflict(whyNot.deleting);
}

const whyNot: Record<Exclude<DatabaseStatus, 'healthy' | 'degraded'>, string> = {
  provisioning: 'This database is being set up. Wait until its status is healthy, then try again.',
  updating: 'This database is being changed. Wait until its status is healthy again, then try again.',
  failed: 'This database has failed; its error says why. Provision it again, change it, or delete it.',
  deleting: 'This database is being deleted.',
};

/** Nothing is being done to it, and its servers run: the state to return to after it was read or written. */
export function requireSettled({ status, error }: Pick<DatabaseRow, 'status' | 'error'>): Settled {
  if (status !== 'healthy' && status !== 'degraded') throw conflict(whyNot[status]);
  return { status, error };
}

/**
 * Nothing is being done to it, and its server is there, be it down: another size may be what it needs. The state to
 * return to after a change.
 */
export async function requireMade(tx: Tx, database: DatabaseRow): Promise<Resting> {
  const { id, status, error } = database;
  if (status !== 'failed') return requireSettled(database);
  const [primary] = await serversOf(tx, id);
  if (!primary?.is_made) throw conflict(NEVER_MADE);
  return { status, error };
}

const NEVER_MADE = 'This database could not be set up; its error says why. Provision it again, or delete it.';
