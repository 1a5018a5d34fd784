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
  size: number;
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
/** What is kept at once: few enough to bear losing, enough that the store is asked seldom. */
const BATCH_BLOBS = 32;
const BATCH_BYTES = 4 * 1024 * 1024;

/** Compresses each, a few at a time, and keeps what is smaller. Ends early when the artifact was removed. */
export async function compressBlobs(
  deps: ArtifactsDeps,
  { artifactId, blobs, signal }: BlobsToCompress,
): Promise<KnownVariant[]> {
  const made: KnownVariant[] = [];
  const batches = batchesOf(blobs);
  const rest = batches.values();
  const failed = new AbortController();
  const ended = AbortSignal.any([signal, failed.signal]);
  const lane = async () => {
    await using compressor = openCompressor(ended);
    for (const batch of rest) {
      const forms: Form[] = [];
      for (const blob of batch) forms.push(...(await compressBlob(deps, compressor, blob)));
      if (!(await keepForms(deps, artifactId, forms))) return;
      made.push(...forms.map(({ known }) => known));
    }
  };
  const threads = Math.min(batches.length, MAX_THREADS, availableParallelism());
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

interface Form {
  known: KnownVariant;
  /** Null where the form is not worth having. */
  bytes: Buffer | null;
}

function batchesOf(blobs: readonly BlobToCompress[]): BlobToCompress[][] {
  const batches: BlobToCompress[][] = [];
  let bytes = 0;
  for (const blob of blobs) {
    const last = batches.at(-1);
    const hasRoom = last && last.length < BATCH_BLOBS && bytes + blob.size <= BATCH_BYTES;
    bytes = hasRoom ? bytes + blob.size : blob.size;
    if (hasRoom) last.push(blob);
    else batches.push([blob]);
  }
  return batches;
}

async function compressBlob(
  { objects }: ArtifactsDeps,
  compressor: Compressor,
  { hash, codings, isText }: BlobToCompress,
): Promise<Form[]> {
  const bytes = new Uint8Array(await buffer(objects.read(blobKey(hash))));
  const forms = await compressor.compress({ bytes, codings, isText });
  return forms.map((form) => describe(hash, form));
}

function describe(hash: string, { coding, bytes }: CompressedForm): Form {
  const own = bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const variant = own && { hash: hashBytes('sha256', own, 'hex'), size: own.length };
  return { known: { hash, coding, variant }, bytes: own };
}

/** Named first, then written: from then on no collector takes them. False when the artifact is gone. */
async function keepForms(
  { store, objects }: ArtifactsDeps,
  artifactId: string,
  forms: readonly Form[],
): Promise<boolean> {
  const kept = forms.flatMap(({ known, bytes }) => (known.variant && bytes ? [{ ...known.variant, bytes }] : []));
  const hashes = kept.map(({ hash }) => hash);
  if (!(await nameBlobs(store.db, artifactId, hashes))) return false;
  await Promise.all(kept.map(({ hash, bytes }) => objects.put(blobKey(hash), bytes)));
  await rememberVariants(
    store.db,
    forms.map(({ known }) => known),
  );
  return true;
}
