import { readFile } from 'node:fs/promises';
import type { S3Key } from '../../config/s3-settings.ts';

/** After so long the file is read again: its key may have been exchanged. */
const FOLLOW_MS = 5 * 60 * 1000;

/** The key that stands in a file. */
export function followKey(file: string): () => Promise<S3Key & { expiration: Date }> {
  return async () => {
    const key = parseKey(await readFile(file, 'utf8'));
    if (key) return { ...key, expiration: new Date(Date.now() + FOLLOW_MS) };
    throw new Error(
      `${file} holds no key for the object store: it needs the lines aws_access_key_id = … and ` +
        'aws_secret_access_key = …, in the section [default] if it has any.',
    );
  };
}

/** Of a file in the format of Amazon's tools; null when it is not whole. */
export function parseKey(text: string): S3Key | null {
  const found = new Map<string, string>();
  let section = 'default';
  for (const line of text.split('\n')) {
    section = /^\s*\[\s*([^\]]*?)\s*\]/.exec(line)?.[1] ?? section;
    const [, name, value] = /^\s*(aws_\w+)\s*=\s*(\S+)\s*$/.exec(line) ?? [];
    if (section === 'default' && name && value) found.set(name, value);
  }
  const [accessKeyId, secretAccessKey] = [found.get('aws_access_key_id'), found.get('aws_secret_access_key')];
  return accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null;
}
