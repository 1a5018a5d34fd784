import type { Db } from '../../server/src/db/pool.ts';
import { encodeEntries } from '../../server/src/logs/log-chunk.ts';
import { appendChunks } from '../../server/src/logs/log-store.ts';
import { statedSeverity } from '../../server/src/logs/severity.ts';
import { sampleLine } from './sample-lines.ts';

const PART = 10_000;

/** So many lines of an environment, spread evenly over the time until now. */
export async function fillLogs(
  db: Db,
  environmentId: string,
  { lines, overMs }: { lines: number; overMs: number },
): Promise<void> {
  const startMs = Date.now() - overMs;
  for (let from = 0; from < lines; from += PART) {
    const entries = Array.from({ length: Math.min(PART, lines - from) }, (_, index) => {
      const message = sampleLine(from + index);
      const atMs = Math.floor(startMs + ((from + index) * overMs) / lines);
      return {
        atMs,
        severity: statedSeverity(message) ?? 'INFO',
        message,
        instanceId: 'ins_bench',
        deploymentId: 'dep_bench',
      };
    });
    const chunks = await encodeEntries(entries);
    await db.transaction().execute((tx) => appendChunks(tx, [{ environmentId, chunks }]));
  }
}
