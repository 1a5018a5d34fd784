import type { databases } from '@lilac/contract/databases';
import type { ChangeListener } from '../../db/change-listener.ts';
import type { Db } from '../../db/pool.ts';
import type { DatabaseRow } from '../../db/schema.ts';
import type { StreamItemOf } from '../../http/handler.ts';
import { createWakeSignal } from '../../jobs/wake-signal.ts';
import { findDatabase } from './database-store.ts';
import { presentProgress } from './present.ts';

type StreamItem = StreamItemOf<(typeof databases)['databases.stream']>;

export interface Follow {
  database: DatabaseRow;
  lastEventId: string | null;
  signal: AbortSignal;
}

/** Should the word of a change be lost on its way. */
const LOOK_EVERY_MS = 2000;

/** Every step that is seen, then how it ended. One to which nothing is being done is told at once. */
export async function* followDatabase(
  { db, changes }: { db: Db; changes: ChangeListener },
  { database: { id }, lastEventId, signal }: Follow,
): AsyncGenerator<StreamItem[]> {
  const news = createWakeSignal();
  using _following = changes.follow(id, () => news.wake());
  const wake = () => news.wake();
  signal.addEventListener('abort', wake);
  try {
    let known: DatabaseRow | null = null;
    while (!signal.aborted) {
      const database = await findDatabase(db, id);
      const batch = batchOf({ database, known, lastEventId });
      if (batch.length > 0) yield batch;
      if (!database || !isMoving(database)) return;
      known = database;
      await news.wait(LOOK_EVERY_MS);
    }
  } finally {
    signal.removeEventListener('abort', wake);
  }
}

const isMoving = ({ status }: DatabaseRow) => ['provisioning', 'updating', 'deleting'].includes(status);

interface Look {
  /** The database as it is now; null when it is gone. */
  database: DatabaseRow | null;
  /** The database as it was at the last look; null at the first. */
  known: DatabaseRow | null;
  lastEventId: string | null;
}

function batchOf({ database, known, lastEventId }: Look): StreamItem[] {
  if (!database) return known ? [goneOf(known)] : [];
  // Whoever saw a change begin is told that it failed, though the database is well.
  const hasFailed = database.status === 'failed' || (known !== null && database.error !== null);
  if (!isMoving(database)) return [hasFailed ? errorOf(database) : eventOf('done', database)];
  if (known !== null) return known.progress === database.progress ? [] : [eventOf('status', database)];
  // Something comes at once, also for who has seen this already; anybody may send anything, so only this number counts.
  return database.progress === lastEventId ? [{ id: lastEventId }] : [eventOf('status', database)];
}

function eventOf(event: 'status' | 'done', database: DatabaseRow): StreamItem {
  return { id: database.progress, event, data: presentProgress(database) };
}

function errorOf(database: DatabaseRow): StreamItem {
  const message = database.error ?? 'It failed.';
  return { id: database.progress, event: 'error', data: { ...presentProgress(database), message } };
}

function goneOf({ progress, status }: DatabaseRow): StreamItem {
  return { id: progress, event: 'done', data: { status, step: 'settled', percent: 100 } };
}
