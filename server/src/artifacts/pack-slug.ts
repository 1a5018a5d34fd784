import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeBytes, describeFiles } from '../lib/describe-files.ts';
import { beginPacking, finishPacking } from './artifact-store.ts';
import type { ArtifactsDeps } from './artifacts-deps.ts';
import { compressSlug, type CompressedSlug } from './compress-slug.ts';
import { takeBack } from './remove-artifacts.ts';
import type { SlugManifest } from './slug-manifest.ts';
import { blobKey, manifestKey } from './static-manifest.ts';

export interface SlugRequest {
  artifactId: string;
  organisationId: string;
  environmentId: string;
  /** The tree as a tar file. */
  archive: string;
  fileCount: number;
  /** A folder of the platform's own, best on the disk of the objects: the compressed archive is made here. */
  staging: string;
  signal: AbortSignal;
  /** One line for whoever reads the build's log. */
  onLine: (line: string) => void;
  maxBytes?: number;
}

export interface PackedSlug {
  fileCount: number;
  /** Compressed: what it takes of the disk. */
  size: number;
}

export const MAX_SLUG_BYTES = 4 * 1024 ** 3;

/**
 * Turns the archive of a built tree into an artifact of one blob. The order is that of static artifacts: the
 * row that names the blob, the blob, the manifest, and only then is it whole. Throws `PackRefused`.
 */
export async function packSlug(deps: ArtifactsDeps, request: SlugRequest): Promise<PackedSlug> {
  const { archive, staging, signal, maxBytes = MAX_SLUG_BYTES } = request;
  const file = join(staging, `${request.artifactId}.tar.zst`);
  try {
    const compressed = await compressSlug({ from: archive, to: file, maxBytes, signal });
    const packed = await storeSlug(deps, { ...request, kind: 'slug', file, compressed });
    const { unpackedSize, compressedSize } = compressed;
    request.onLine(
      `Packed ${describeFiles(packed.fileCount, unpackedSize)}: ${describeBytes(compressedSize)} compressed`,
    );
    return packed;
  } finally {
    await rm(file, { force: true });
  }
}

export interface CompressedFile extends Pick<
  SlugRequest,
  'artifactId' | 'organisationId' | 'environmentId' | 'fileCount' | 'signal'
> {
  kind: SlugManifest['kind'];
  file: string;
  compressed: CompressedSlug;
}

export async function storeSlug(deps: ArtifactsDeps, request: CompressedFile): Promise<PackedSlug> {
  const { artifactId, kind, fileCount, file, compressed, signal } = request;
  const { hash, compressedSize } = compressed;
  await beginPacking(deps.store.db, { ...request, kind: 'slug', hashes: [hash] });
  try {
    signal.throwIfAborted();
    await deps.objects.putFiles([{ key: blobKey(hash), path: file }]);
    signal.throwIfAborted();
    const manifest: SlugManifest = { version: 1, kind, artifactId, fileCount, ...compressed };
    await deps.objects.put(manifestKey(artifactId), Buffer.from(JSON.stringify(manifest)));
    const packed = { fileCount, size: compressedSize };
    if (await finishPacking(deps.store.db, { artifactId, ...packed })) return packed;
    throw new Error(`The artifact ${artifactId} was removed while it was packed.`);
  } catch (error) {
    await takeBack(deps, artifactId);
    throw error;
  }
}
