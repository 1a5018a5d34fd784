import { deleteReserved, expireReserved, type Discarded } from './upload-store.ts';
import type { UploadsDeps } from './uploads-deps.ts';

/**
 * Forgets every upload of the organisation that was reserved and not completed, or only the one that is named,
 * with what came of it; returns how many. Where their addresses cannot be taken back they count until those expire. An
 * archive that is on its way at this moment finds its reservation gone, and its receiver removes it; what is left here
 * if this process is killed, the sweep removes.
 */
export async function discardUploads(
  { store, objects }: Pick<UploadsDeps, 'store' | 'objects'>,
  which: Discarded,
): Promise<number> {
  const end = objects.areAddressesFinal ? expireReserved : deleteReserved;
  const storagePaths = await end(store.db, which);
  for (const storagePath of storagePaths) await objects.remove(storagePath);
  return storagePaths.length;
}
