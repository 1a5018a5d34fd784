import { createHash } from 'node:crypto';
import { PassThrough, Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { EngineRefused, type Engine } from '../../../engines/engine.ts';
import type { ServerSpec } from '../../../engines/server.ts';
import type { ObjectStore } from '../../../objects/object-store.ts';

export interface DumpToWrite {
  engine: Pick<Engine, 'dump'>;
  spec: ServerSpec;
  databaseName: string;
  objects: ObjectStore;
  key: string;
  signal: AbortSignal;
}

/** A file was written and reads otherwise: the disk, or the program, is at fault. */
class DumpBroken extends Error {}

/**
 * Writes a database into an object, compressed, and reads it back: what this answers for can be restored. Nothing is
 * held in memory but what is on its way.
 */
export async function writeDump({ engine, spec, databaseName, objects, key, signal }: DumpToWrite) {
  const text = new PassThrough({ highWaterMark: 1 << 18 });
  const written = hashing();
  const gzip = createGzip({ level: 6, chunkSize: 1 << 18 });
  const ending = new AbortController();
  const both = AbortSignal.any([signal, ending.signal]);
  const stall = setTimeout(() => ending.abort(new EngineRefused(STALLED)), STALLED_MS);
  text.on('data', () => stall.refresh());
  const compressed = pipeline(text, gzip, written.stream, { signal: both });
  const stored = objects.put(key, written.stream);
  const dumped = engine.dump(spec, databaseName, text, both).then((summary) => {
    text.end();
    return summary;
  });
  const parts = [dumped, compressed, stored] as const;
  // Where one fails, the others have nothing to wait for; its failure is the one that tells.
  for (const part of parts) part.catch((error: unknown) => ending.abort(error));
  try {
    await Promise.all(parts);
  } catch (error) {
    await Promise.allSettled(parts);
    signal.throwIfAborted();
    throw ending.signal.reason ?? error;
  } finally {
    clearTimeout(stall);
  }
  const { size } = await stored;
  const sha256 = written.digest();
  await verifyDump(objects.read(key), { sha256, signal });
  return { size, sha256, summary: await dumped };
}

/** However large it is, something of it comes all the time. */
const STALLED_MS = 10 * 60_000;
const STALLED =
  'Nothing came from the server of this database for ten minutes. Look at its sessions and the locks they hold, ' +
  'end those in the way, then try again.';

const COMPLETE = /^-- Lilac dump complete: .*$/m;
const TAIL_BYTES = 4096;

/** Reads it to the end: every byte as it was written, every block of the compression whole, and the last line there. */
async function verifyDump(
  source: Readable,
  { sha256, signal }: { sha256: string; signal: AbortSignal },
): Promise<void> {
  const read = hashing();
  let tail = Buffer.alloc(0);
  const keepTail = async (text: AsyncIterable<Buffer>) => {
    for await (const chunk of text) tail = Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES);
  };
  await pipeline(source, read.stream, createGunzip({ chunkSize: 1 << 18 }), keepTail, { signal });
  if (read.digest() !== sha256) throw new DumpBroken('The file that was written reads otherwise than it was written.');
  if (!COMPLETE.test(tail.toString())) throw new DumpBroken('The dump ends before its last line.');
}

function hashing() {
  const hash = createHash('sha256');
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { stream, digest: () => hash.digest('hex') };
}
