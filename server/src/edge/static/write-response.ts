import { ReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { SMALL_BLOB_BYTES, type BlobLibrary } from './blob-library.ts';
import type { BlobSlice, StaticAnswer, StaticRequest } from './static-answer.ts';

/** The same question as the front's, of a request that the HTTP server has read. */
export function staticRequestOf(
  { method = 'GET', headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  path: string,
): StaticRequest {
  return {
    method,
    target: path,
    accept: headers.accept ?? '',
    acceptEncoding: headers['accept-encoding']?.toString() ?? '',
    ifMatch: headers['if-match'] ?? '',
    ifNoneMatch: headers['if-none-match'] ?? '',
    ifRange: headers['if-range']?.toString() ?? '',
    range: headers.range ?? '',
    cookie: headers.cookie ?? '',
    probe: headers['x-lilac-probe']?.toString() ?? '',
    counters: null,
    access: null,
  };
}

/** Writes an answer through the HTTP server. Fails, with nothing written, when its file cannot be read. */
export async function writeResponse(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  { status, head, body }: StaticAnswer,
  blobs: BlobLibrary,
): Promise<void> {
  const isWanted = body !== null && request.method !== 'HEAD';
  const source = !isWanted || Buffer.isBuffer(body) ? body : await openSlice(body, blobs);
  if (request.socket.destroyed) return leave(source);
  response.writeHead(status, headersOf(head));
  if (!isWanted) response.end();
  else if (Buffer.isBuffer(source)) response.end(source);
  // A client that goes away, or a file that breaks off, ends both; the client is not told half is all.
  else await pipeline(source as ReadStream, response).catch(() => response.destroy());
}

/** The client has gone while the file was opened. */
function leave(source: StaticAnswer['body'] | ReadStream): void {
  if (source instanceof ReadStream) source.destroy();
}

/** A small file's bytes, or a stream that is open. */
export async function openSlice({ hash, size, start, end }: BlobSlice, blobs: BlobLibrary) {
  if (size <= SMALL_BLOB_BYTES) {
    const { bytes } = blobs.peek(hash) ?? (await blobs.load(hash, size));
    return bytes.subarray(start, end);
  }
  const file = await blobs.open(hash, size);
  return file.createReadStream({ start, end: end - 1 });
}

/** Name, value, name, value … without the status line. */
export function headersOf(head: string): string[] {
  const lines = head.split('\r\n').slice(1, -1);
  return lines.flatMap((line) => {
    const colon = line.indexOf(': ');
    return [line.slice(0, colon), line.slice(colon + 2)];
  });
}
