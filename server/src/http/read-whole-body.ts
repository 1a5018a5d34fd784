import type { Readable } from 'node:stream';
import { Fault, invalid } from '../lib/fault.ts';

const MIB = 1024 * 1024;

/**
 * Reads bodies as the bytes they are. What is in memory of all of them together has a limit too: whoever comes when it
 * is reached is told to come again.
 */
export function createBodyReader({ maxBytes, maxBytesAtOnce }: { maxBytes: number; maxBytesAtOnce: number }) {
  let held = 0;
  const assertRoom = (bytes: number): void => {
    if (bytes > maxBytes) throw new Fault('LM001', `The body is larger than ${maxBytes / MIB} MiB.`);
    if (held > maxBytesAtOnce) throw new Fault('SV002', undefined, { retryAfterSeconds: 5 });
  };
  return async (body: Readable, announcedBytes = 0): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      assertRoom(announcedBytes);
      // Who is refused is still to read the answer, on a connection that must stay open for it.
      for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length;
        held += chunk.length;
        assertRoom(size);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks, size);
    } catch (error) {
      throw error instanceof Fault ? error : invalid('The body broke off.');
    } finally {
      held -= size;
    }
  };
}
