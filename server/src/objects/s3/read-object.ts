import { Readable } from 'node:stream';
import { GetObjectCommand, HeadObjectCommand, type GetObjectCommandOutput } from '@aws-sdk/client-s3';
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

/** Which object it is that is read: nothing is read on of another one. */
interface Version {
  etag: string | undefined;
  size: number;
}

async function* piecesOf(s3: S3Connection, { key, place, range }: Reading): AsyncGenerator<Buffer> {
  let position = range.start;
  let version: Version | undefined;
  for (let cuts = 0; ; cuts++) {
    const found = await openFrom(s3, { key, place, range: { ...range, start: position } }, version);
    if (!found && version && position < version.size)
      throw new WrongAnswer(`nothing of ${key} from byte ${position} on`);
    if (!found) return;
    version = found.version;
    const end = Math.min(range.end, version.size);
    try {
      // Asked for all the same: it says whether there is an object.
      if (end <= position) return;
      for await (const chunk of found.body as AsyncIterable<Buffer>) {
        position += chunk.length;
        if (position > end) throw new WrongAnswer(`more than was asked for of ${key}`);
        yield chunk;
      }
      if (position === end) return;
      // It ends as if it were whole: what stands in between was cut off, and did not say so.
      throw new WrongAnswer(`${position} of ${end} bytes of ${key}`);
    } catch (error) {
      if (cuts >= RESUMPTIONS || position > end) throw error;
    } finally {
      found.body.destroy();
    }
  }
}

/** Null where the range begins behind the end. With a version, only that very object. */
async function openFrom(s3: S3Connection, { key, place, range }: Reading, version: Version | undefined) {
  const { start, end } = range;
  const isWhole = start === 0 && end === Infinity;
  const last = end === Infinity ? '' : Math.max(start, end - 1);
  const asked = version?.etag && { IfMatch: version.etag };
  const request = { ...place, ...(!isWhole && { Range: `bytes=${start}-${last}` }), ...asked };
  const open = () => s3.client.send(new GetObjectCommand(request));
  try {
    const answer = await open().catch(async (error: unknown) => {
      if (isMissing(error) && (await claimObject(s3, key))) return await open();
      throw error;
    });
    const body = answer.Body as Readable;
    try {
      return { body, version: check(key, { answer, start, size: await sizeOf(s3, place, answer) }, version) };
    } catch (error) {
      body.destroy();
      throw error;
    }
  } catch (error) {
    if (isMissing(error)) throw new ObjectMissing(key);
    if (error instanceof S3Failure && error.status === 416) return null;
    throw error;
  }
}

const RANGE = /^bytes (\d+)-\d+\/(\d+)$/;

/** Of all of it. Where something in between has taken the length away, it is asked for. */
async function sizeOf(s3: S3Connection, place: Reading['place'], answer: GetObjectCommandOutput): Promise<number> {
  const [, , total] = RANGE.exec(answer.ContentRange ?? '') ?? [];
  const size = total === undefined ? answer.ContentLength : Number(total);
  if (size !== undefined) return size;
  const head = await s3.client.send(new HeadObjectCommand({ ...place, ...(answer.ETag && { IfMatch: answer.ETag }) }));
  if (head.ContentLength === undefined) throw new WrongAnswer('no length');
  return head.ContentLength;
}

/** Not every store, nor what stands in front of it, holds to the range and the condition it was given. */
function check(
  key: string,
  { answer, start, size }: { answer: GetObjectCommandOutput; start: number; size: number },
  version: Version | undefined,
): Version {
  const [, first = '0'] = RANGE.exec(answer.ContentRange ?? '') ?? [];
  if (Number(first) !== start) throw new WrongAnswer(`${key} from byte ${first} on, where byte ${start} was asked for`);
  const { ETag: etag } = answer;
  if (version && (etag !== version.etag || size !== version.size))
    throw new WrongAnswer(`another ${key} than at first`);
  return { etag, size };
}

/** What came cannot be used. */
class WrongAnswer extends Error {
  constructor(what: string) {
    super(`The object store, or what stands in front of it, has answered with ${what}.`);
  }
}
