import { DeleteObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { S3Connection } from './s3-connection.ts';

/** Much longer than an address is good, and than what came may wait until somebody looks at it. */
const LEFT_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * An address is good until it expires, also when what came first was looked at and has its name: what comes then lies
 * apart, and nobody will ever look at it.
 */
export async function removeLeftIncoming({ client, bucket, incomingPrefix }: S3Connection, now: Date): Promise<void> {
  const before = new Date(now.getTime() - LEFT_AFTER_MS);
  for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: incomingPrefix })) {
    for (const { Key, LastModified } of page.Contents ?? []) {
      if (Key && LastModified && LastModified < before) {
        await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }));
      }
    }
  }
}
