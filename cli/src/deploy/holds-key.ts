import { bytesToFindKey, holdsPrivateKey } from '@lilac/contract/source-files/secret-files';
import { closeSync, openSync, readSync } from 'node:fs';

/** Whether a file is a private key, by its content. */
export function holdsKey(file: string, sizeBytes: number): boolean {
  const lengthBytes = bytesToFindKey(file, sizeBytes);
  return lengthBytes > 0 && holdsPrivateKey(file, readStart(file, lengthBytes));
}

/** What cannot be read is complained about when it is packed. */
function readStart(file: string, lengthBytes: number): string {
  const bytes = Buffer.alloc(lengthBytes);
  let handle: number | undefined;
  try {
    handle = openSync(file, 'r');
    return bytes.toString('utf8', 0, readSync(handle, bytes, 0, lengthBytes, 0));
  } catch {
    return '';
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
