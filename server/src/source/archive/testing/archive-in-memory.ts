import { Readable } from 'node:stream';
import { ObjectMissing } from '../../../objects/object-store.ts';
import type { ArchiveSource } from '../archive-source.ts';

/** An archive that a test holds in memory, read as one of an object store. */
export function archiveInMemory(bytes: Buffer): ArchiveSource {
  return {
    key: KEY,
    objects: {
      stat: async (key) => {
        assertIsIt(key);
        return { size: bytes.length };
      },
      read: (key, range) => {
        assertIsIt(key);
        return Readable.from([Buffer.from(bytes.subarray(range?.start, range?.end))], { objectMode: false });
      },
    },
  };
}

const KEY = 'uploads/archive.zip';

function assertIsIt(key: string): void {
  if (key !== KEY) throw new ObjectMissing(key);
}
