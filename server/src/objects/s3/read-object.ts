import { Readable } from 'node:stream';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { ObjectMissing } from '../object-store.ts';
import { claimObject } from './claim-object.ts';
import { placeOf, type S3Connection } from './s3-connection.ts';
import { isMissing, S3Failure } from './s3-failure.ts';

interface Range {
  start: number;
  end: number;
}

/** How often a reader that was cut off takes it up again where it stopped. */
const RESUMPTIONS = 3;

export function readObject(s3: S3Connection, key: string, range: Range | undefined): Readable {
  const place = placeOf(s3, key);
  return Readable.from(piecesOf(s3, { key, place, range: range ?? { start: 0, end: Infinity } }), {
    objectMode: false,
  });
}

interface Reading {
  key: string;
  place: ReturnType<typeof placeOf>;
  range: Range;
}

async function* piecesOf(s3: S3Connection, { key, place, range }: Reading): AsyncGenerator<Buffer> {
  let position = range.start;
  let etag: string | undefined;
  for (let cuts = 0; ; cuts++) {
    const found = await openFrom(s3, { key, place, range: { ...range, start: position } }, etag);
    if (!found) return;
    etag = found.etag;
    try {
      // Asked for all the same: it says whether there is an object.
      if (range.end <= position) return;
      for await (const chunk of found.body as AsyncIterable<Buffer>) {
        position += chunk.length;
        yield chunk;
      }
      return;
    } catch (error) {
      if (cuts >= RESUMPTIONS) throw error;
    } finally {
      found.body.destroy();
    }
  }
}

/** Null where the range begins behind the end. With an etag, only that very object. */
async function openFrom(s3: S3Connection, { key, place, range }: Reading, etag: string | undefined) {
  const { start, end } = range;
  const isWhole = start === 0 && end === Infinity;
  const last = end === Infinity ? '' : Math.max(start, end - 1);
  const request = { ...place, ...(!isWhole && { Range: `bytes=${start}-${last}` }), ...(etag && { IfMatch: etag }) };
  const open = () => s3.client.send(new GetObjectCommand(request));
  try {
    const answer = await open().catch(async (error: unknown) => {
      if (isMissing(error) && (await claimObject(s3, key))) return await open();
      throw error;
    });
    return { body: answer.Body as Readable, etag: answer.ETag };
  } catch (error) {
    if (isMissing(error)) throw new ObjectMissing(key);
    if (error instanceof S3Failure && error.status === 416) return null;
    throw error;
  }
}
