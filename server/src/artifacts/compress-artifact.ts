import { json } from 'node:stream/consumers';
import { ObjectMissing } from '../objects/object-store.ts';
import { keepArtifact, markCompressed, nameKnownVariants, type KnownVariant } from './artifact-store.ts';
import type { ArtifactsDeps } from './artifacts-deps.ts';
import { compressBlobs, type BlobToCompress } from './compress-blobs.ts';
import { isCompressible } from './content-type.ts';
import { describeVariants } from './describe-variants.ts';
import { isSlugManifest, type SlugManifest } from './slug-manifest.ts';
import { manifestKey, type ContentCoding, type StaticFile, type StaticManifest } from './static-manifest.ts';
import { usableVariants } from './usable-variants.ts';

/** Smaller ones fit into a packet either way. */
const MIN_BYTES = 256;
/** Read whole to be compressed: what is larger is served as it is. */
const MAX_BYTES = 64 * 1024 * 1024;
const CODINGS: readonly ContentCoding[] = ['br', 'gzip'];

/**
 * Adds compressed forms to an artifact that is served already. Each content is compressed once, whichever
 * artifacts have it: killed or aborted, the next run goes on where this one was. Where `isChanged`, the
 * manifest was written anew and edges must read it again.
 */
export async function compressArtifact(
  deps: ArtifactsDeps,
  artifactId: string,
  { signal }: { signal: AbortSignal },
): Promise<{ isChanged: boolean }> {
  const manifest = await readManifest(deps, artifactId);
  const targets = manifest && compressibleFiles(manifest);
  const known = targets && (await nameKnownVariants(deps.store.db, artifactId, [...targets.keys()]));
  if (!known) return { isChanged: false };
  const usable = await usableVariants(deps.objects, known);
  const blobs = remaining(targets, usable);
  const added = await compressBlobs(deps, { artifactId, blobs, signal });
  return { isChanged: await rewriteManifest(deps, manifest, [...usable, ...added]) };
}

/** Null when the artifact was removed, or is a slug: nothing of one is served as it is. */
async function readManifest({ objects }: ArtifactsDeps, artifactId: string): Promise<StaticManifest | null> {
  try {
    const manifest = (await json(objects.read(manifestKey(artifactId)))) as StaticManifest | SlugManifest;
    return isSlugManifest(manifest) ? null : manifest;
  } catch (error) {
    if (error instanceof ObjectMissing) return null;
    throw error;
  }
}

function compressibleFiles({ files }: StaticManifest): Map<string, StaticFile> {
  const worthwhile = Object.values(files).filter(
    ({ type, size }) => size >= MIN_BYTES && size <= MAX_BYTES && isCompressible(type),
  );
  return new Map(worthwhile.map((file) => [file.hash, file]));
}

function remaining(targets: Map<string, StaticFile>, known: readonly KnownVariant[]): BlobToCompress[] {
  const done = new Set(known.map(({ hash, coding }) => `${hash} ${coding}`));
  return [...targets.values()].flatMap(({ hash, size, type }) => {
    const codings = CODINGS.filter((coding) => !done.has(`${hash} ${coding}`));
    return codings.length > 0 ? [{ hash, size, codings, isText: type.includes('charset=') }] : [];
  });
}

/** While the row is locked nobody removes the artifact, so that no manifest comes back after its artifact is gone. */
async function rewriteManifest(
  { store, objects }: ArtifactsDeps,
  manifest: StaticManifest,
  variants: readonly KnownVariant[],
): Promise<boolean> {
  const { artifactId } = manifest;
  const rewritten = withVariants(manifest, variants);
  const isChanged = JSON.stringify(rewritten.files) !== JSON.stringify(manifest.files);
  return store.db.transaction().execute(async (tx) => {
    if (!(await keepArtifact(tx, artifactId))) return false;
    if (isChanged) await objects.put(manifestKey(artifactId), Buffer.from(JSON.stringify(rewritten)));
    await markCompressed(tx, artifactId);
    return isChanged;
  });
}

function withVariants(manifest: StaticManifest, variants: readonly KnownVariant[]): StaticManifest {
  const byHash = Map.groupBy(variants, ({ hash }) => hash);
  const files = Object.entries(manifest.files).map(([path, file]) => {
    const own = describeVariants(byHash.get(file.hash) ?? []);
    return [path, isCompressible(file.type) ? { ...file, variants: own } : file];
  });
  return { ...manifest, files: Object.fromEntries(files) };
}
