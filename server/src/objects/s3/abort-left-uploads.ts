import { AbortMultipartUploadCommand, ListMultipartUploadsCommand, type MultipartUpload } from '@aws-sdk/client-s3';
import type { S3Connection } from './s3-connection.ts';
import { isMissing, isUnknownThere } from './s3-failure.ts';

/** Nobody writes one object for longer than this. */
const LEFT_AFTER_MS = 24 * 60 * 60 * 1000;

/** Large objects are written in parts, and parts are kept, and paid for, until somebody says that no more will come. */
export async function abortLeftUploads(s3: S3Connection, now: Date): Promise<void> {
  for (const prefix of [s3.objectsPrefix, s3.incomingPrefix]) {
    try {
      await abortBelow(s3, prefix, new Date(now.getTime() - LEFT_AFTER_MS));
    } catch (error) {
      // Those that cannot say what is under way have ways of their own to forget it.
      if (!isUnknownThere(error)) throw error;
    }
  }
}

async function abortBelow(s3: S3Connection, prefix: string, before: Date): Promise<void> {
  for (const { Key, UploadId, Initiated } of await listUploads(s3, prefix)) {
    if (!Initiated || Initiated >= before) continue;
    const left = { Bucket: s3.bucket, Key, UploadId };
    await s3.client.send(new AbortMultipartUploadCommand(left)).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
  }
}

async function listUploads({ client, bucket }: S3Connection, prefix: string): Promise<MultipartUpload[]> {
  const found: MultipartUpload[] = [];
  let after: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
  for (let isMore = true; isMore;) {
    const page = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, ...after }));
    found.push(...(page.Uploads ?? []));
    after = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
    isMore = page.IsTruncated === true && page.NextKeyMarker !== undefined;
  }
  return found;
}
