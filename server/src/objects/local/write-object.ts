import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { ObjectExists } from '../object-store.ts';
import { moveInto, moveIntoNew, syncFolder } from './durable.ts';
import { makeIncoming, newIncomingPath } from './incoming.ts';

export interface ObjectToWrite {
  root: string;
  path: string;
  source: Readable | Buffer;
  /** True: never over an object that is there. */
  isNew?: boolean;
}

/** Never through a link, never over a file; for us alone to read. */
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Written aside, brought to the disk, and only then given its name: whole or not at all. */
export async function writeObject({ root, path, source, isNew }: ObjectToWrite): Promise<{ size: number }> {
  const incoming = newIncomingPath(root);
  // It may fail before it is read; reading it then tells.
  if (!Buffer.isBuffer(source)) source.on('error', () => {});
  try {
    const size = await writeIncoming(root, incoming, source);
    if (!isNew) await moveInto(incoming, path);
    else if (!(await moveIntoNew(incoming, path))) throw new ObjectExists();
    await syncFolder(dirname(path));
    return { size };
  } catch (error) {
    await rm(incoming, { force: true });
    throw error;
  }
}

async function writeIncoming(root: string, path: string, source: Readable | Buffer): Promise<number> {
  await makeIncoming(root);
  await using handle = await open(path, CREATE, 0o600);
  await handle.writeFile(source);
  await handle.sync();
  return (await handle.stat()).size;
}
