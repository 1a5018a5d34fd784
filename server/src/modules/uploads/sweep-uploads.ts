import { COMPLETION_GRACE_MS, KEPT_MS, UPLOADS_PREFIX } from './upload.ts';
import { deleteForgotten, expireUploads, findWanted } from './upload-store.ts';
import type { UploadsDeps } from './uploads-deps.ts';

const BATCH = 500;

/**
 * Ends what nobody finished, and removes every archive that nobody may want any more. The rows go
 * first: a sweep that is killed leaves archives without a row, which the next one removes.
 */
export async function sweepUploads(
  { store, objects, clock }: Pick<UploadsDeps, 'store' | 'objects' | 'clock'>,
  signal?: AbortSignal,
): Promise<{ expired: number; forgotten: number; removed: number }> {
  const now = clock.now().getTime();
  const expired = await expireUploads(store.db, {
    reservedUntil: new Date(now - COMPLETION_GRACE_MS),
    readySince: new Date(now - KEPT_MS),
  });
  const forgotten = await deleteForgotten(store.db, new Date(now - 2 * KEPT_MS));
  let removed = 0;
  for await (const batch of batches(objects.list(UPLOADS_PREFIX))) {
    signal?.throwIfAborted();
    // The row of an upload is older than its archive, so what has none now never will.
    const wanted = await findWanted(store.db, batch);
    const unwanted = batch.filter((key) => !wanted.has(key));
    for (const key of unwanted) await objects.remove(key);
    removed += unwanted.length;
  }
  await objects.sweep();
  return { expired, forgotten, removed };
}

async function* batches(keys: AsyncIterable<string>): AsyncIterable<string[]> {
  let batch: string[] = [];
  for await (const key of keys) {
    batch.push(key);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
