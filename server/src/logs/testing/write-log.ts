import type { Db } from '../../db/pool.ts';
import { encodeEntries } from '../log-chunk.ts';
import type { LogEntry } from '../log-entry.ts';
import { appendChunks } from '../log-store.ts';

/** Lines of whomever a test likes, stored at once. Harmless when the environment is gone. */
export async function writeLog(db: Db, environmentId: string, entries: readonly LogEntry[]): Promise<void> {
  const chunks = await encodeEntries(entries);
  await db.transaction().execute((tx) => appendChunks(tx, [{ environmentId, chunks }]));
}
