import { close, constants, createReadStream, open, read, type Dirent } from 'node:fs';
import { lstat, opendir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { assertKey, assertPrefix } from '../object-key.ts';
import { ObjectMissing, type ReceivingStore } from '../object-store.ts';
import { signGet, signPut } from '../server/signed-address.ts';
import { assertRoom, type ReadSpace } from './assert-room.ts';
import { sweepIncoming } from './incoming.ts';
import { takeFiles } from './take-files.ts';
import { writeObject } from './write-object.ts';

export interface LocalObjectStoreOptions {
  /** The folder of the objects; each is the file of its key. */
  root: string;
  signingKey: Buffer;
  /** Where the platform is reached from outside: signed addresses begin with it. */
  publicUrl: URL;
  readSpace?: ReadSpace;
}

/** Objects as files of this machine. */
export function createLocalObjectStore(options: LocalObjectStoreOptions): ReceivingStore {
  const { root, signingKey, publicUrl, readSpace } = options;
  const pathOf = (key: string) => {
    assertKey(key);
    return join(root, key);
  };
  return {
    put: async (key, source) => writeObject({ root, path: pathOf(key), source }),
    // Never over an object that is there: what `complete` has inspected is what will be built.
    putNew: async (key, source) => writeObject({ root, path: pathOf(key), source, isNew: true }),
    assertRoom: (bytes) => assertRoom(root, bytes, readSpace),
    putFiles: async (files) => {
      const taken = files.map(({ key, path }) => ({ from: path, path: pathOf(key) }));
      await takeFiles(root, taken);
    },
    stat: async (key) => {
      const found = await unlessMissing(lstat(pathOf(key)));
      return found?.isFile() ? { size: found.size } : null;
    },
    read: (key, range) => readFileOf(key, pathOf(key), range),
    remove: async (key) => {
      await unlessMissing(rm(pathOf(key)));
    },
    list: (prefix) => {
      assertPrefix(prefix);
      return listKeys(root, prefix);
    },
    presignPut: async (key, terms) => signPut(signingKey, publicUrl, { key, terms }),
    presignGet: async (key, terms) => signGet(signingKey, publicUrl, { key, terms }),
    sweep: async () => {
      await sweepIncoming(root);
    },
    areAddressesFinal: false,
  };
}

function readFileOf(key: string, path: string, range: { start: number; end: number } | undefined): Readable {
  const isEmpty = range && range.end <= range.start;
  return createReadStream(path, {
    ...(range && { start: range.start, end: isEmpty ? range.start : range.end - 1 }),
    fs: {
      open: (file: string, _flags: number, _mode: number, done: (error: Error | null, fd: number) => void) =>
        open(file, constants.O_RDONLY | constants.O_NOFOLLOW, (error, fd) =>
          done(error && isMissing(error) ? new ObjectMissing(key) : error, fd),
        ),
      read: isEmpty ? readNothing : read,
      close,
    },
  });
}

const readNothing = (...parameters: unknown[]) => {
  const done = parameters.at(-1) as (error: null, bytesRead: number) => void;
  process.nextTick(done, null, 0);
};

async function* listKeys(root: string, prefix: string): AsyncIterable<string> {
  const base = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  yield* listBelow(root, base, prefix);
}

async function* listBelow(root: string, folder: string, prefix: string): AsyncIterable<string> {
  const entries = await unlessMissing(opendir(join(root, folder)));
  if (!entries) return;
  for await (const entry of entries) {
    const key = folder + entry.name;
    if (!isOurs(entry) || !(key.startsWith(prefix) || prefix.startsWith(`${key}/`))) continue;
    if (entry.isDirectory()) yield* listBelow(root, `${key}/`, prefix);
    else if (entry.isFile()) yield key;
  }
}

/** Not what is on its way in. */
const isOurs = (entry: Dirent) => !entry.name.includes('~');

function unlessMissing<T>(promise: Promise<T>): Promise<T | null> {
  return promise.catch((error: unknown) => {
    if (isMissing(error as NodeJS.ErrnoException)) return null;
    throw error;
  });
}

const isMissing = (error: NodeJS.ErrnoException) => error.code === 'ENOENT' || error.code === 'ENOTDIR';
