import {
  forgetUnneededVariants,
  listAbandonedArtifacts,
  listUnknownArtifacts,
  listUnnamedBlobs,
} from './artifact-store.ts';
import type { ArtifactsDeps } from './artifacts-deps.ts';
import { collectBlobs, collectManifests } from './collect-objects.ts';
import { removeArtifacts } from './remove-artifacts.ts';

const BATCH = 500;
const BLOB_KEY = /^blobs\/[0-9a-f]{2}\/([0-9a-f]{64})$/;
const MANIFEST_KEY = /^manifests\/(.+)\.json$/;

export interface SweepReport {
  artifacts: number;
  manifests: number;
  blobs: number;
}

/**
 * Removes what killed processes left: artifacts that no deployment has or will have, and objects that no
 * row names. No clock is asked: a row is there before the object that it names, so an object without one
 * is nobody's.
 */
export async function sweepArtifacts(deps: ArtifactsDeps): Promise<SweepReport> {
  const { db } = deps.store;
  const abandoned = await listAbandonedArtifacts(db);
  await removeArtifacts(deps, abandoned);
  const manifests = await sweepKeys(deps, { prefix: 'manifests/', pattern: MANIFEST_KEY }, async (ids) =>
    collectManifests(deps, await listUnknownArtifacts(db, ids)),
  );
  const blobs = await sweepKeys(deps, { prefix: 'blobs/', pattern: BLOB_KEY }, async (hashes) =>
    collectBlobs(deps, await listUnnamedBlobs(db, hashes)),
  );
  await forgetUnneededVariants(db);
  const report = { artifacts: abandoned.length, manifests, blobs };
  if (abandoned.length + manifests + blobs > 0) deps.log.info(report, 'abandoned artifacts swept');
  return report;
}

async function sweepKeys(
  { objects }: ArtifactsDeps,
  { prefix, pattern }: { prefix: string; pattern: RegExp },
  collect: (names: string[]) => Promise<number>,
): Promise<number> {
  let removed = 0;
  let batch: string[] = [];
  for await (const key of objects.list(prefix)) {
    const name = pattern.exec(key)?.[1];
    if (name !== undefined) batch.push(name);
    if (batch.length < BATCH) continue;
    removed += await collect(batch);
    batch = [];
  }
  return removed + (batch.length > 0 ? await collect(batch) : 0);
}
