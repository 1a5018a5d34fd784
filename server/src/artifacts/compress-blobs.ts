import { hash as hashBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { nameBlobs, rememberVariants, type KnownVariant } from './artifact-store.ts';
import type { ArtifactsDeps } from './artifacts-deps.ts';
import type { CompressedForm } from './compress-bytes.ts';
import { openCompressor, type Compressor } from './compressor.ts';
import { blobKey, type ContentCoding } from './static-manifest.ts';

export interface BlobToCompress {
  hash: string;
  codings: ContentCoding[];
  isText: boolean;
}

export interface BlobsToCompress {
  artifactId: string;
  blobs: readonly BlobToCompress[];
  signal: AbortSignal;
}

/** On a machine with many cores too there are other things to do. */
const MAX_THREADS = 4;

/** Compresses each, a few at a time, and keeps what is smaller. Ends early when the artifact was removed. */
export async function compressBlobs(
  deps: ArtifactsDeps,
  { artifactId, blobs, signal }: BlobsToCompress,
): Promise<KnownVariant[]> {
  const made: KnownVariant[] = [];
  const rest = blobs.values();
  const failed = new AbortController();
  const ended = AbortSignal.any([signal, failed.signal]);
  const lane = async () => {
    await using compressor = openCompressor(ended);
    for (const blob of rest) {
      const variants = await compressBlob({ deps, compressor, artifactId }, blob);
      if (!variants) return;
      made.push(...variants);
    }
  };
  const threads = Math.min(blobs.length, MAX_THREADS, availableParallelism());
  const lanes = Array.from({ length: threads }, () =>
    lane().catch((error: unknown) => {
      failed.abort(error);
      throw error;
    }),
  );
  const ends = await Promise.allSettled(lanes);
  signal.throwIfAborted();
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return made;
}

interface Lane {
  deps: ArtifactsDeps;
  compressor: Compressor;
  artifactId: string;
}

/** Null when the artifact is gone. */
async function compressBlob(
  { deps, compressor, artifactId }: Lane,
  { hash, codings, isText }: BlobToCompress,
): Promise<KnownVariant[] | null> {
  const bytes = new Uint8Array(await buffer(deps.objects.read(blobKey(hash))));
  const forms = (await compressor.compress({ bytes, codings, isText })).map((form) => describe(hash, form));
  const kept = forms.filter((form) => form.bytes !== null);
  const hashes = kept.map(({ known }) => known.variant!.hash);
  // Named first, then written: from then on no collector takes it.
  if (!(await nameBlobs(deps.store.db, artifactId, hashes))) return null;
  for (const form of kept) await deps.objects.put(blobKey(form.known.variant!.hash), form.bytes!);
  const variants = forms.map(({ known }) => known);
  await rememberVariants(deps.store.db, variants);
  return variants;
}

function describe(hash: string, { coding, bytes }: CompressedForm): { known: KnownVariant; bytes: Buffer | null } {
  const own = bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const variant = own && { hash: hashBytes('sha256', own, 'hex'), size: own.length };
  return { known: { hash, coding, variant }, bytes: own };
}
