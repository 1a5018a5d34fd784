/**
 * Stores lines of many environments as fast as it can, in a process of its own, as the worker is one: text is made
 * safe, its severity read, chunks are compressed and committed. Tells how many lines it stored in what time.
 */
import { openStore } from '../../server/src/db/pool.ts';
import { encodeEntries } from '../../server/src/logs/log-chunk.ts';
import { appendChunks } from '../../server/src/logs/log-store.ts';
import { makeSafe } from '../../server/src/logs/make-safe.ts';
import { SeverityReader } from '../../server/src/logs/severity-reader.ts';
import { sampleLine } from './sample-lines.ts';

export interface WriteOrder {
  environmentIds: string[];
  durationMs: number;
}

export interface WriteReport {
  lines: number;
  tookMs: number;
}

/** What came since the last commit, of each environment. */
const LINES_AT_ONCE = 250;

const [directory, password] = process.argv.slice(2) as [string, string];
const store = openStore({ kind: 'socket', directory, password }, { max: 2, applicationName: 'bench writer' });
const samples = Array.from({ length: 50_000 }, (_, number) => sampleLine(number));

process.on('message', (order: WriteOrder) => {
  write(order).then(
    (report) => process.send?.(report),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

async function write({ environmentIds, durationMs }: WriteOrder): Promise<WriteReport> {
  const readers = new Map(environmentIds.map((id) => [id, new SeverityReader('stdout')]));
  const startedAt = performance.now();
  let lines = 0;
  // The next round is prepared while this one is committed.
  let committing: Promise<unknown> = Promise.resolve();
  while (performance.now() - startedAt < durationMs) {
    const batches = await Promise.all(
      environmentIds.map(async (environmentId) => {
        const reader = readers.get(environmentId)!;
        const entries = Array.from({ length: LINES_AT_ONCE }, () => {
          const message = makeSafe(samples[lines++ % samples.length]!);
          const severity = reader.read(message);
          return { atMs: Date.now(), severity, message, instanceId: 'ins_bench', deploymentId: 'dep_bench' };
        });
        return { environmentId, chunks: await encodeEntries(entries) };
      }),
    );
    await committing;
    committing = store.db.transaction().execute((tx) => appendChunks(tx, batches));
  }
  await committing;
  return { lines, tookMs: performance.now() - startedAt };
}
