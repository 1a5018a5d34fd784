import type { CallInput, Client } from '@lilac/contract/client';
import { hasCode } from './errors.ts';
import { putArchive } from './put-archive.ts';
import type { CompletedUpload, Output } from './resources.ts';
import { isTransient, Tries } from './tries.ts';
import type { UploadOptions, UploadSource } from './upload-source.ts';

export interface UploadDeps {
  client: Client;
  fetch: typeof fetch | undefined;
  retryForMs: number;
}

const ZIP = 'application/zip';
const DISCARD_MS = 5000;

/** Reserves, sends and completes. What is broken off leaves nothing behind. */
export async function upload(
  deps: UploadDeps,
  source: UploadSource,
  { targetOrganisationId, fileName = nameOf(source), contentType = ZIP, onProgress, signal }: UploadOptions,
): Promise<CompletedUpload> {
  if (!Number.isSafeInteger(source.size) || source.size < 1)
    throw new TypeError('There is nothing to upload: it is empty.');
  const wanted = { targetOrganisationId, contentType, fileSize: source.size, ...(fileName && { fileName }) };
  const { uploadId, signedUrl } = await reserve(deps, wanted, signal);
  const body = { targetOrganisationId, uploadId };
  try {
    signal?.throwIfAborted();
    await putUntilThere(deps, { url: signedUrl, source, contentType, onProgress, signal });
    return await deps.client.call('upload.complete', { body, signal });
  } catch (error) {
    await discard(deps, body);
    throw error;
  }
}

/** Not broken off at once: what is reserved at that very moment has to be known to be discarded. */
async function reserve(
  { client }: UploadDeps,
  body: CallInput<'upload.request-url'>['body'],
  signal: AbortSignal | undefined,
): Promise<Output<'upload.request-url'>> {
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const abort = () => (timer = setTimeout(() => ending.abort(signal?.reason), DISCARD_MS));
  signal?.throwIfAborted();
  signal?.addEventListener('abort', abort);
  try {
    return await client.call('upload.request-url', { body, signal: ending.signal });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** A reservation that cannot be discarded lapses by itself; why the upload failed is what the caller has to know. */
async function discard({ client }: UploadDeps, body: { targetOrganisationId: string | undefined; uploadId: string }) {
  const signal = AbortSignal.timeout(DISCARD_MS);
  await client.call('upload.cleanup', { body, signal }).catch(() => {});
}

/** A PUT whose answer was lost may have arrived: then the platform says that the archive is there. */
async function putUntilThere(
  { fetch, retryForMs }: UploadDeps,
  put: Omit<Parameters<typeof putArchive>[0], 'fetch'>,
): Promise<void> {
  let tries: Tries | null = null;
  for (;;) {
    try {
      return await putArchive({ ...put, fetch });
    } catch (error) {
      if (tries && hasCode(error, 'CF001')) return;
      put.signal?.throwIfAborted();
      if (!isTransient(error)) throw error;
      tries ??= new Tries(retryForMs, put.signal);
      await tries.waitAfter(error);
    }
  }
}

/** A file that a person chose has a name; the platform takes 255 characters of it. */
function nameOf(source: UploadSource): string | undefined {
  return 'name' in source && typeof source.name === 'string' ? source.name.slice(-255) || undefined : undefined;
}
