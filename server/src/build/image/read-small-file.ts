import { open } from 'node:fs/promises';
import { BuildFailed } from '../builder.ts';

/** No person writes a longer one, and reading it takes the worker's time. */
const MAX_BYTES = 128 * 1024;

/** A file that people write by hand. Rejects with `BuildFailed` where it is too long, or none. */
export async function readSmallFile(path: string, name: string): Promise<string> {
  await using file = await open(path);
  const stats = await file.stat();
  if (!stats.isFile()) throw new BuildFailed(`The ${name} is a folder. Put a file there.`);
  if (stats.size > MAX_BYTES)
    throw new BuildFailed(`The ${name} is larger than ${MAX_BYTES / 1024} KiB. Make it shorter.`);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
  return buffer.toString('utf8', 0, bytesRead);
}
