import { close, createReadStream, fstatSync, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { inParallel } from '../in-parallel.ts';
import { openPlain } from '../open-plain.ts';
import { placeOf, type S3Connection } from './s3-connection.ts';
import { isMissing } from './s3-failure.ts';

type Place = ReturnType<typeof placeOf>;

/** Parts of a large object. One upload holds this many of this size in memory; 10,000 parts are 80 GiB. */
const PART_BYTES = 8 * 1024 ** 2;
const PARTS_AT_ONCE = 4;
/** Up to here a file is sent in one piece, out of memory. */
const SMALL_BYTES = 1024 ** 2;
const SMALL_AT_ONCE = 16;
const LARGE_AT_ONCE = 2;

/** Where it takes more than one request, the object has its name only after the last. */
export async function putObject(s3: S3Connection, place: Place, source: Readable | Buffer): Promise<{ size: number }> {
  if (Buffer.isBuffer(source)) {
    await s3.client.send(new PutObjectCommand({ ...place, Body: source }));
    return { size: source.length };
  }
  // It may fail before it is read; reading it then tells.
  source.on('error', () => {});
  let size = 0;
  const counted = async function* () {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length;
      yield chunk;
    }
  };
  const Body = Readable.from(counted(), { objectMode: false });
  const options = { client: s3.client, partSize: PART_BYTES, queueSize: PARTS_AT_ONCE };
  try {
    await new Upload({ ...options, params: { ...place, Body } }).done();
  } catch (error) {
    source.destroy();
    throw error;
  }
  return { size };
}

interface FileToPut {
  key: string;
  path: string;
}

/** Small ones many at a time, for each waits for an answer; large ones few, for each fills memory. */
export async function putFiles(s3: S3Connection, files: readonly FileToPut[]): Promise<void> {
  const wanted = [...new Map(files.map((file) => [file.key, file])).values()];
  const places = new Map(wanted.map(({ key }) => [key, placeOf(s3, key)]));
  const large: FileToPut[] = [];
  await inParallel(wanted, SMALL_AT_ONCE, async (file) => {
    const place = places.get(file.key)!;
    if (await isThere(s3, place)) return;
    const content = readSmall(file.path);
    if (content) await putObject(s3, place, content);
    else large.push(file);
  });
  await inParallel(large, LARGE_AT_ONCE, async ({ key, path }) => {
    await putObject(s3, places.get(key)!, createReadStream('', { fd: openPlain(path) }));
  });
}

export async function isThere({ client }: S3Connection, place: Place): Promise<boolean> {
  try {
    await client.send(new HeadObjectCommand(place));
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Null where it is too large for that. */
function readSmall(path: string): Buffer | null {
  const file = openPlain(path);
  try {
    return fstatSync(file).size > SMALL_BYTES ? null : readFileSync(file);
  } finally {
    close(file);
  }
}
