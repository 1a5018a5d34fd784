import { forgetVariantsOf, listUnknownArtifacts, listUnnamedBlobs, lockBlobsForDeletion } from './artifact-store.ts';
import type { ArtifactsDeps } from './artifacts-deps.ts';
import type { Tx } from '../db/pool.ts';
import { blobKey, manifestKey } from './static-manifest.ts';

/** Few at a time: packers wait meanwhile. */
const BATCH = 200;

/** Deletes those of the blobs that no artifact needs, and returns how many. */
export async function collectBlobs(deps: ArtifactsDeps, hashes: readonly string[]): Promise<number> {
  return collect(deps, hashes, async (tx, batch) => {
    const unnamed = await listUnnamedBlobs(tx, batch);
    await forgetVariantsOf(tx, unnamed);
    return unnamed.map((hash) => blobKey(hash));
  });
}

/** Deletes the manifests of those artifacts that are no more, and returns how many. */
export async function collectManifests(deps: ArtifactsDeps, artifactIds: readonly string[]): Promise<number> {
  return collect(deps, artifactIds, async (tx, batch) => {
    const unknown = await listUnknownArtifacts(tx, batch);
    return unknown.map((id) => manifestKey(id));
  });
}

/** While a backup runs nothing is deleted; the next sweep finds what was left. */
async function collect(
  { store, objects }: ArtifactsDeps,
  names: readonly string[],
  chooseKeys: (tx: Tx, batch: string[]) => Promise<string[]>,
): Promise<number> {
  let removed = 0;
  for (let at = 0; at < names.length; at += BATCH) {
    removed += await store.db.transaction().execute(async (tx) => {
      if (!(await lockBlobsForDeletion(tx))) return 0;
      const keys = await chooseKeys(tx, names.slice(at, at + BATCH));
      await Promise.all(keys.map((key) => objects.remove(key)));
      return keys.length;
    });
  }
  return removed;
}
