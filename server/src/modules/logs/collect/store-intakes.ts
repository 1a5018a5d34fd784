import { setTimeout as delay } from 'node:timers/promises';
import { countLines } from '../../../logs/count-lines.ts';
import { encodeEntries } from '../../../logs/log-chunk.ts';
import { appendChunks } from '../../../logs/log-store.ts';
import type { CollectorDeps } from './collector.ts';
import type { Intakes } from './intakes.ts';
import { movePositions } from './position-store.ts';
import type { Sources } from './sources.ts';

const PATIENCE_MS = 250;

/**
 * Stores the lines of all environments and how far that is, together or not at all. What was stored need not be
 * kept by the runtime.
 */
export async function storeIntakes(
  { store, runtime, log, leadership }: Pick<CollectorDeps, 'store' | 'runtime' | 'log' | 'leadership'>,
  { intakes, sources }: { intakes: Intakes; sources: Sources },
): Promise<void> {
  const moved = sources.toBeStored().map((source) => ({ source, to: source.takenTo }));
  const taken = intakes.take();
  if (moved.length === 0 && taken.length === 0) return;
  const batches = await Promise.all(
    taken.map(async ({ entries, ...batch }) => ({ ...batch, chunks: await encodeEntries(entries) })),
  );
  const gone = await store.db.transaction().execute(async (tx) => {
    await leadership?.hold(tx);
    const appended = await appendChunks(tx, batches);
    const moves = moved.map(({ source: { instanceId, environmentId, stored }, to }) => {
      return { instanceId, environmentId, from: stored, to };
    });
    await movePositions(
      tx,
      moves.filter(({ environmentId }) => !appended.gone.has(environmentId)),
    );
    return appended.gone;
  });
  countLines(batches, gone);
  sources.noteGone(gone);
  for (const { source, to } of moved) source.stored = to;
  const released = moved.map(({ source: { instanceId }, to }) =>
    runtime.releaseOutput(instanceId, to).catch((error: unknown) => {
      // What is kept for longer than it need be harms nobody; the next time it is told again.
      log.warn({ err: error, instance: instanceId }, 'an instance cannot be told how much of its output is stored');
    }),
  );
  await soonOrLater(Promise.all(released));
}

/** Nobody's lines wait for one that does not answer. */
async function soonOrLater(work: Promise<unknown>): Promise<void> {
  const patience = new AbortController();
  const late = delay(PATIENCE_MS, undefined, { signal: patience.signal }).catch(() => {});
  await Promise.race([work, late]);
  patience.abort();
}
