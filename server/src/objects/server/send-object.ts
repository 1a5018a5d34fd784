import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Fault } from '../../lib/fault.ts';
import type { SignedGet } from './signed-address.ts';

/** Streams an object, or the part of it that is asked for, so that a download can be taken up again. */
export async function sendObject(
  request: IncomingMessage,
  response: ServerResponse,
  { root, object: { key, terms } }: { root: string; object: SignedGet },
): Promise<void> {
  await using file = await openObject(join(root, key));
  const { size } = await file.stat();
  const range = readRange(request.headers.range, size);
  const headers: OutgoingHttpHeaders = {
    'content-type': terms.contentType,
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(terms.fileName)}`,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  };
  if (range === 'beyond') {
    response.writeHead(416, { ...headers, 'content-range': `bytes */${size}`, 'content-length': 0 }).end();
    return;
  }
  const { start, end } = range ?? { start: 0, end: size };
  response.writeHead(range ? 206 : 200, {
    ...headers,
    'content-length': end - start,
    ...(range && { 'content-range': `bytes ${start}-${end - 1}/${size}` }),
  });
  if (request.method === 'HEAD' || end === start) return void response.end();
  await pipeline(file.createReadStream({ start, end: end - 1, autoClose: false }), response);
}

async function openObject(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) {
      throw new Fault('NF001', 'The file is no longer here. Ask for a new one.');
    }
    throw error;
  }
}

/** One range of bytes, its end excluded; null where all is to be sent: none was asked for, or in words we need not know. */
function readRange(header: string | undefined, size: number): { start: number; end: number } | 'beyond' | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return null;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  return start < end ? { start, end } : 'beyond';
}
