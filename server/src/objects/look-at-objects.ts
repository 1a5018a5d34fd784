import type { Config } from '../config.ts';
import { describeBucket } from './describe-bucket.ts';

/** What the platform finds when it looks at where objects are kept. */
export interface ObjectsLook {
  /** In words for people; null: on this machine. */
  bucket: string | null;
  /** Why it cannot be used; null when it can. */
  trouble: string | null;
  /** Whether the bucket lets a browser send archives from the console; null where nobody can tell. */
  takesBrowsers: boolean | null;
}

export async function lookAtObjects({ s3, publicUrl }: Pick<Config, 's3' | 'publicUrl'>): Promise<ObjectsLook> {
  if (!s3) return { bucket: null, trouble: null, takesBrowsers: true };
  const { listOne, readCors } = await import('./s3/look-at-bucket.ts');
  const bucket = describeBucket(s3);
  try {
    await listOne(s3);
    return { bucket, trouble: null, takesBrowsers: await readCors(s3, publicUrl.origin) };
  } catch (error) {
    return { bucket, trouble: (error as Error).message, takesBrowsers: null };
  }
}
