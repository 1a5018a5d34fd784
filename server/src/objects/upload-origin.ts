import type { Clock } from '../lib/clock.ts';
import type { ObjectStore } from './object-store.ts';

/** Where archives of an announced length are sent to; null where that is the platform itself. */
export async function uploadOriginOf(
  objects: Pick<ObjectStore, 'presignPut'>,
  { publicUrl, clock }: { publicUrl: URL; clock: Clock },
): Promise<string | null> {
  const terms = { contentType: 'application/zip', size: { exact: 1 }, expiresAt: clock.now() };
  const { origin } = new URL(await objects.presignPut('origin', terms));
  return origin === publicUrl.origin ? null : origin;
}
