import type { ObjectStore } from '../objects/object-store.ts';
import type { KnownVariant } from './artifact-store.ts';
import { blobKey } from './static-manifest.ts';

const AT_ONCE = 32;

/**
 * What is known of compressed forms, without those whose blob is gone: a collector may have been killed
 * after it deleted a blob and before it could say so.
 */
export async function usableVariants(objects: ObjectStore, known: readonly KnownVariant[]): Promise<KnownVariant[]> {
  const usable: KnownVariant[] = [];
  const rest = known.values();
  const lane = async () => {
    for (const entry of rest) {
      const { variant } = entry;
      const found = variant && (await objects.stat(blobKey(variant.hash)));
      if (!variant || found?.size === variant.size) usable.push(entry);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return usable;
}
