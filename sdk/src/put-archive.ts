import { errorOf } from '@lilac/contract/client';
import { CountedSource } from './counted-source.ts';
import type { UploadOptions, UploadSource } from './upload-source.ts';

export interface Put extends Pick<UploadOptions, 'onProgress' | 'signal'> {
  /** Signed: it is the credential, and nothing else is sent along. */
  url: string;
  source: UploadSource;
  contentType: string;
  fetch: typeof fetch | undefined;
}

/** Sends the bytes; throws what the platform refuses them with. */
export async function putArchive(put: Put): Promise<void> {
  put.signal?.throwIfAborted();
  // Only this tells a browser's progress; and few browsers send a stream.
  const response = typeof XMLHttpRequest === 'undefined' ? await putStream(put) : await putBlob(put);
  if (!response.ok) throw await errorOf(response);
  await response.body?.cancel();
  put.onProgress?.(put.source.size, put.source.size);
}

async function putStream({ url, source, contentType, onProgress, signal, fetch: given }: Put): Promise<Response> {
  const headers = { 'content-type': contentType, 'content-length': String(source.size) };
  const counted = new CountedSource(source, (sentBytes) => onProgress?.(sentBytes, source.size));
  const init: RequestInit = {
    method: 'PUT',
    headers,
    body: counted.stream,
    redirect: 'manual',
    ...(signal && { signal }),
  };
  try {
    // TypeScript's list of a browser's fields lacks the one that sending a stream needs.
    return await (given ?? fetch)(url, { ...init, duplex: 'half' } as RequestInit);
  } catch (error) {
    throw counted.failure && !signal?.aborted ? counted.failure.reason : error;
  } finally {
    counted.close();
  }
}

async function putBlob({ url, source, contentType, onProgress, signal }: Put): Promise<Response> {
  const blob = source instanceof Blob ? source : await new Response(new CountedSource(source).stream).blob();
  return await new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.upload.addEventListener('progress', ({ loaded }) => onProgress?.(Math.min(loaded, blob.size), blob.size));
    request.addEventListener('load', () => resolve(answerOf(request)));
    request.addEventListener('error', () => reject(new TypeError('The connection broke while the archive was sent.')));
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors
    request.addEventListener('abort', () => reject(signal?.reason));
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort));
    signal?.addEventListener('abort', abort);
    request.open('PUT', url);
    request.setRequestHeader('content-type', contentType);
    request.send(blob);
  });
}

function answerOf(request: XMLHttpRequest): Response {
  const retryAfter = request.getResponseHeader('retry-after');
  return new Response(request.responseText, {
    status: request.status,
    statusText: request.statusText,
    headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
  });
}
