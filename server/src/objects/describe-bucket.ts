import type { S3Settings } from '../config.ts';

/** For people: `the bucket lilac at https://s3.example.org`. */
export function describeBucket({ bucket, endpoint, region, prefix }: S3Settings): string {
  const below = prefix === '' ? '' : `, below ${prefix}`;
  return `the bucket ${bucket} at ${endpoint?.origin ?? `Amazon S3, ${region}`}${below}`;
}
