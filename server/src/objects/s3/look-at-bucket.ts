import { GetBucketCorsCommand, ListObjectsV2Command, type CORSRule } from '@aws-sdk/client-s3';
import type { S3Settings } from '../../config.ts';
import { openS3 } from './s3-connection.ts';
import { S3Failure } from './s3-failure.ts';

/** Fails with what is wrong: the bucket, the key, or that nobody answers. */
export async function listOne(settings: S3Settings): Promise<void> {
  const { client, bucket, objectsPrefix } = openS3(settings);
  try {
    await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: objectsPrefix, MaxKeys: 1 }));
  } finally {
    client.destroy();
  }
}

/** Whether pages of that origin may send archives. Null where the key may not know, or the store does not say. */
export async function readCors(settings: S3Settings, origin: string): Promise<boolean | null> {
  const { client, bucket } = openS3(settings);
  try {
    const { CORSRules = [] } = await client.send(new GetBucketCorsCommand({ Bucket: bucket }));
    return CORSRules.some((rule) => takes(rule, origin));
  } catch (error) {
    return error instanceof S3Failure && error.name === 'NoSuchCORSConfiguration' ? false : null;
  } finally {
    client.destroy();
  }
}

export function takes({ AllowedMethods, AllowedOrigins, AllowedHeaders }: CORSRule, origin: string): boolean {
  return (
    AllowedMethods?.includes('PUT') === true &&
    AllowedOrigins?.some((allowed) => matches(allowed, origin)) === true &&
    AllowedHeaders?.some((allowed) => matches(allowed.toLowerCase(), 'content-type')) === true
  );
}

/** One star stands for anything. */
function matches(pattern: string, text: string): boolean {
  const [before = '', after] = pattern.split('*');
  if (after === undefined) return pattern === text;
  return text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after);
}
