import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { GetTerms } from '../object-store.ts';
import { incomingPlaceOf, placeOf, type S3Connection } from './s3-connection.ts';

/** S3 signs for a week at most. */
const LONGEST_SECONDS = 7 * 24 * 60 * 60;

interface ExactPut {
  contentType: string;
  sizeBytes: number;
  expiresAt: Date;
}

/** An address of the store itself for so many bytes of that type. It leads to where nobody has looked yet. */
export function signExactPut(s3: S3Connection, key: string, terms: ExactPut, now: Date): Promise<string> {
  const { contentType: ContentType, sizeBytes: ContentLength } = terms;
  const command = new PutObjectCommand({ ...incomingPlaceOf(s3, key), ContentType, ContentLength });
  return getSignedUrl(s3.publicClient, command, {
    ...lifeUntil(terms.expiresAt, now),
    // Left to itself the signer leaves the type out: then any would do.
    signableHeaders: new Set(['host', 'content-type', 'content-length']),
  });
}

export function signRead(s3: S3Connection, key: string, terms: GetTerms, now: Date): Promise<string> {
  const command = new GetObjectCommand({
    ...placeOf(s3, key),
    ResponseContentType: terms.contentType,
    ResponseContentDisposition: `attachment; filename*=UTF-8''${encodeURIComponent(terms.fileName)}`,
    ResponseCacheControl: 'private, no-store',
  });
  return getSignedUrl(s3.publicClient, command, lifeUntil(terms.expiresAt, now));
}

/** S3 counts whole seconds from when it was signed. What has expired already was signed so long ago. */
function lifeUntil(expiresAt: Date, now: Date): { signingDate: Date; expiresIn: number } {
  const seconds = Math.floor((expiresAt.getTime() - now.getTime()) / 1000);
  if (seconds >= 1) return { signingDate: now, expiresIn: Math.min(seconds, LONGEST_SECONDS) };
  return { signingDate: new Date(expiresAt.getTime() - 2000), expiresIn: 1 };
}
