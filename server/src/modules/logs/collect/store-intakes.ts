import { countLines } from '../../../logs/count-lines.ts';
import { encodeEntries } from '../../../logs/log-chunk.ts';
import { appendChunks } from '../../../logs/log-store.ts';
import type { CollectorDeps } from './collector.ts';
import type { Intakes } from './intakes.ts';
import { movePositions } from './position-store.ts';
import type { Sources } from './sources.ts';

/**
 * Stores the lines of all environments and how far that is, together or not at all. What was stored need not be
 * kept by the runtime.
 */
export async function storeIntakes(
  { store, runtime }: Pick<CollectorDeps, 'store' | 'runtime'>,
  { intakes, sources }: { intakes: Intakes; sources: Sources },
): Promise<void> {
  const moved = sources.toBeStored().map((source) => ({ source, to: source.takenTo }));
  const taken = intakes.take();
  if (moved.length === 0 && taken.length === 0) return;
  const batches = await Promise.all(
    taken.map(async ({ entries, ...batch }) => ({ ...batch, chunks: await encodeEntries(entries) })),
  );
  const gone = await store.db.transaction().execute(async (tx) => {
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
  for (const { source, to } of moved) {
    source.stored = to;
    await runtime.releaseOutput(source.instanceId, to);
  }
}
