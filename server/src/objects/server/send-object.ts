import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Fault } from '../../lib/fault.ts';
import { ObjectMissing, type ObjectStore } from '../object-store.ts';
import type { SignedGet } from './signed-address.ts';

type ReadObjects = Pick<ObjectStore, 'stat' | 'read'>;

/** Streams an object, or the part of it that is asked for, so that a download can be taken up again. */
export async function sendObject(
  request: IncomingMessage,
  response: ServerResponse,
  { objects, object: { key, terms } }: { objects: ReadObjects; object: SignedGet },
): Promise<void> {
  const found = await objects.stat(key);
  if (!found) throw noLongerHere();
  const { size } = found;
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
  const isEmpty = request.method === 'HEAD' || end === start;
  const body = isEmpty ? null : await openObject(objects, key, { start, end });
  response.writeHead(range ? 206 : 200, {
    ...headers,
    'content-length': end - start,
    ...(range && { 'content-range': `bytes ${start}-${end - 1}/${size}` }),
  });
  if (!body) return void response.end();
  await pipeline(body, response);
}

/** Resolves when its first bytes are here: from then on they stay readable, whatever becomes of the key. */
async function openObject(objects: ReadObjects, key: string, range: { start: number; end: number }): Promise<Readable> {
  const body = objects.read(key, range);
  try {
    await once(body, 'readable');
    return body;
  } catch (error) {
    throw error instanceof ObjectMissing ? noLongerHere() : error;
  }
}

const noLongerHere = () => new Fault('NF001', 'The file is no longer here. Ask for a new one.');

/**
 * One range of bytes, its end excluded; null where all is to be sent: none was asked for, or in words we need not know.
 */
function readRange(header: string | undefined, size: number): { start: number; end: number } | 'beyond' | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return null;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  return start < end ? { start, end } : 'beyond';
}
