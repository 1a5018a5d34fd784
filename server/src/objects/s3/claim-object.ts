import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { inParallel } from '../in-parallel.ts';
import { isThere } from './put-object.ts';
import { incomingPlaceOf, placeOf, type S3Connection } from './s3-connection.ts';
import { isMissing, isPreempted, isUnknownThere } from './s3-failure.ts';

const PART_BYTES = 1024 ** 3;
const PARTS_AT_ONCE = 4;
/** Somebody may send another in the very moment; nobody does so for ever. */
const TRIES = 5;

/**
 * Gives what came by a signed address its name, so that no other PUT to that address can exchange it: those go on to
 * where it lay before. False where nothing came. Called where an object is looked for and is not there.
 */
export async function claimObject(s3: S3Connection, key: string): Promise<boolean> {
  const [from, to] = [incomingPlaceOf(s3, key), placeOf(s3, key)];
  for (let tries = 1; ; tries++) {
    const found = await headOf(s3, from);
    // Somebody else may have claimed it since it was looked for.
    if (!found) return await isThere(s3, to);
    try {
      await copyNew(s3, { from: `${from.Bucket}/${from.Key}`, to, ...found });
      break;
    } catch (error) {
      if (!isPreempted(error) && !isMissing(error)) throw error;
      if (await isThere(s3, to)) break;
      if (tries === TRIES) throw error;
    }
  }
  await s3.client.send(new DeleteObjectCommand(from));
  return true;
}

interface Copy {
  from: string;
  to: { Bucket: string; Key: string };
  size: number;
  /** Of what was found: nothing else is copied. */
  etag: string | undefined;
}

async function headOf({ client }: S3Connection, place: Copy['to']): Promise<Pick<Copy, 'size' | 'etag'> | null> {
  try {
    const { ContentLength = 0, ETag: etag } = await client.send(new HeadObjectCommand(place));
    return { size: ContentLength, etag };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/**
 * Never over an object that is there, where the store knows how to hold to that: most do at the end of an upload in
 * parts, and few when they copy at once. Exported for its test: no test has an object of several parts as large.
 */
export async function copyNew(
  { client }: Pick<S3Connection, 'client'>,
  { from, to, size, etag, partBytes = PART_BYTES }: Copy & { partBytes?: number },
): Promise<void> {
  // Nothing has no parts.
  if (size === 0) return await whereNoneIs((condition) => client.send(new PutObjectCommand({ ...to, ...condition })));
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(to));
  try {
    const parts = Array.from({ length: Math.ceil(size / partBytes) }, (_, index) => index);
    const done: { PartNumber: number; ETag: string | undefined }[] = [];
    await inParallel(parts, PARTS_AT_ONCE, async (index) => {
      const last = Math.min(size, (index + 1) * partBytes) - 1;
      // Small objects are not copied by a range, even if that is all of them.
      const range = parts.length > 1 && { CopySourceRange: `bytes=${index * partBytes}-${last}` };
      const source = { CopySource: from, CopySourceIfMatch: etag, ...range };
      const part = { ...to, UploadId, PartNumber: index + 1 };
      const { CopyPartResult } = await client.send(new UploadPartCopyCommand({ ...part, ...source }));
      done.push({ PartNumber: index + 1, ETag: CopyPartResult?.ETag });
    });
    const Parts = done.toSorted((a, b) => a.PartNumber - b.PartNumber);
    const whole = { ...to, UploadId, MultipartUpload: { Parts } };
    await whereNoneIs((condition) => client.send(new CompleteMultipartUploadCommand({ ...whole, ...condition })));
  } catch (error) {
    // What cannot be removed now, the sweep removes.
    await client.send(new AbortMultipartUploadCommand({ ...to, UploadId })).catch(() => {});
    throw error;
  }
}

async function whereNoneIs(write: (condition: { IfNoneMatch?: '*' }) => Promise<unknown>): Promise<void> {
  try {
    await write({ IfNoneMatch: '*' });
  } catch (error) {
    if (!isUnknownThere(error)) throw error;
    await write({});
  }
}
