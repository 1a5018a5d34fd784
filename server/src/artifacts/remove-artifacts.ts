import { deleteArtifacts } from './artifact-store.ts';
import type { ArtifactsDeps } from './artifacts-deps.ts';
import { collectBlobs, collectManifests } from './collect-objects.ts';

/**
 * Removes artifacts that nothing serves or will serve again: rows, manifests, then the blobs that no other
 * artifact needs. Killed half-way, `sweepArtifacts` does the rest.
 */
export async function removeArtifacts(deps: ArtifactsDeps, artifactIds: readonly string[]): Promise<void> {
  if (artifactIds.length === 0) return;
  const hashes = await deleteArtifacts(deps.store.db, artifactIds);
  await collectManifests(deps, artifactIds);
  const blobs = await collectBlobs(deps, hashes);
  deps.log.debug({ artifacts: artifactIds.length, blobs }, 'artifacts removed');
}

/** What was packed in vain. Where that fails too, the next sweep does it. */
export async function takeBack(deps: ArtifactsDeps, artifactId: string): Promise<void> {
  await removeArtifacts(deps, [artifactId]).catch((error: unknown) => deps.log.warn({ err: error, artifactId }));
}
