import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conformPresigned, type PutAnswer, type PutRequest } from './conformance-presigned.ts';
import { KeyRefused } from './object-key.ts';
import { ObjectMissing, type ObjectStore } from './object-store.ts';

/** An object store that is tested, and how its signed addresses are reached. */
export interface ObjectStoreSubject extends AsyncDisposable {
  objects: ObjectStore;
  /** What the store takes for the time when it looks at an address. */
  clock: { now(): Date; advance(milliseconds: number): void };
  send: (address: string, request: PutRequest) => Promise<PutAnswer>;
}

/** What every object store must do, whatever it keeps objects in. */
export function conformToObjectStore(open: () => Promise<ObjectStoreSubject>): void {
  let subject: ObjectStoreSubject;
  let objects: ObjectStore;
  let folder: string;
  beforeAll(async () => {
    subject = await open();
    ({ objects } = subject);
    folder = mkdtempSync(join(tmpdir(), 'lilac-conformance-'));
  });
  afterAll(async () => {
    await subject[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const contentOf = (key: string, range?: { start: number; end: number }) => buffer(objects.read(key, range));
  const range = async (start: number, end: number) => String(await contentOf('read/digits', { start, end }));
  const keysOf = async (prefix: string) => {
    const keys: string[] = [];
    for await (const key of objects.list(prefix)) keys.push(key);
    return keys.toSorted();
  };
  const fileOf = (text: string) => {
    const path = join(folder, randomBytes(6).toString('hex'));
    writeFileSync(path, text);
    return path;
  };

  describe('put', () => {
    it('keeps bytes and streams as they are, empty and large ones too', async () => {
      const large = randomBytes(3_000_001);
      expect(await objects.put('put/large', Readable.from([large.subarray(0, 5), large.subarray(5)]))).toEqual({
        size: large.length,
      });
      expect((await contentOf('put/large')).equals(large)).toBe(true);
      expect(await objects.put('put/empty', Buffer.alloc(0))).toEqual({ size: 0 });
      expect(await objects.stat('put/empty')).toEqual({ size: 0 });
      expect(await contentOf('put/empty')).toHaveLength(0);
    });

    it('replaces an object, and a reader of the old one is not disturbed', async () => {
      const old = randomBytes(2_000_000);
      await objects.put('put/again', old);
      const reading = objects.read('put/again');
      await new Promise((resolve) => reading.once('readable', resolve));
      await objects.put('put/again', Buffer.from('new'));
      expect((await buffer(reading)).equals(old)).toBe(true);
      expect(String(await contentOf('put/again'))).toBe('new');
    });

    it('leaves nothing when the source fails, and what was there before stays', async () => {
      await expect(objects.put('put/failed', failing())).rejects.toThrow('the source broke');
      expect(await objects.stat('put/failed')).toBeNull();
      await objects.put('put/kept', Buffer.from('kept'));
      await expect(objects.put('put/kept', failing())).rejects.toThrow('the source broke');
      expect(String(await contentOf('put/kept'))).toBe('kept');
      expect(await keysOf('put/failed')).toEqual([]);
    });

    it('leaves nothing when the source fails at once, or has failed before', async () => {
      const [failed, failing] = [new PassThrough(), new PassThrough()];
      failed.on('error', () => {}).destroy(new Error('failed before'));
      await new Promise((resolve) => failed.once('close', resolve));
      await expect(objects.put('put/early', failed)).rejects.toThrow('failed before');
      const writing = objects.put('put/early', failing);
      failing.destroy(new Error('failed at once'));
      await expect(writing).rejects.toThrow('failed at once');
      expect(await objects.stat('put/early')).toBeNull();
    });

    it('shows one of several written at the same moment, whole', async () => {
      const contents = Array.from({ length: 8 }, (_, index) => Buffer.alloc(300_000, index));
      await Promise.all(contents.map((content) => objects.put('put/race', content)));
      const found = await contentOf('put/race');
      expect(contents.some((content) => content.equals(found))).toBe(true);
    });
  });

  describe('putFiles', () => {
    it('takes many at once; a key that is there keeps its object; the same key twice is no matter', async () => {
      await objects.put('files/old', Buffer.from('old'));
      const files = Array.from({ length: 60 }, (_, index) => ({
        key: `files/${index % 4}/${index}`,
        path: fileOf(`content ${index}`),
      }));
      const twice = { key: 'files/twice', path: fileOf('twice') };
      await objects.putFiles([...files, { key: 'files/old', path: fileOf('new') }, twice, twice]);
      expect(String(await contentOf('files/old'))).toBe('old');
      expect(String(await contentOf('files/twice'))).toBe('twice');
      for (const [index, { key }] of files.entries()) expect(String(await contentOf(key))).toBe(`content ${index}`);
    });

    it('cannot be changed afterwards through another name of the file', async () => {
      const [path, other] = [fileOf('safe'), join(folder, 'another-name')];
      linkSync(path, other);
      await objects.putFiles([{ key: 'files/linked', path }]);
      writeFileSync(other, 'evil');
      expect(String(await contentOf('files/linked'))).toBe('safe');
    });

    it('takes a file nobody may read or that has special bits, and refuses links, folders and what is missing', async () => {
      const special = fileOf('special');
      chmodSync(special, 0o6755);
      await objects.putFiles([{ key: 'files/special', path: special }]);
      expect(String(await contentOf('files/special'))).toBe('special');
      const secret = fileOf('not for you');
      const link = join(folder, 'a-link');
      symlinkSync(secret, link);
      for (const path of [link, mkdtempSync(join(folder, 'sub-')), join(folder, 'nothing')]) {
        await expect(objects.putFiles([{ key: 'files/refused', path }])).rejects.toBeInstanceOf(Error);
        expect(await objects.stat('files/refused')).toBeNull();
      }
      expect(readFileSync(secret, 'utf8')).toBe('not for you');
    });
  });

  describe('read', () => {
    it('gives a range from its start up to, not including, its end', async () => {
      await objects.put('read/digits', Buffer.from('0123456789'));
      expect(await range(0, 1)).toBe('0');
      expect(await range(3, 7)).toBe('3456');
      expect(await range(8, 10)).toBe('89');
      expect(await range(8, 99)).toBe('89');
      expect(await range(4, 4)).toBe('');
      expect(await range(50, 60)).toBe('');
    });

    it('fails with ObjectMissing when there is none, also where the key is a part of others', async () => {
      await objects.put('read/below/object', Buffer.from('x'));
      for (const key of ['read/none', 'read/below/object/further']) {
        await expect(contentOf(key)).rejects.toBeInstanceOf(ObjectMissing);
        await expect(contentOf(key, { start: 0, end: 0 })).rejects.toBeInstanceOf(ObjectMissing);
        expect(await objects.stat(key)).toBeNull();
      }
      expect(await objects.stat('read/below')).toBeNull();
    });
  });

  describe('list and remove', () => {
    it('lists every key that begins so, and nothing that is on its way', async () => {
      for (const key of ['list/a', 'list/ab/c', 'list/ab/d/e', 'list/b', 'listen']) {
        await objects.put(key, Buffer.from(key));
      }
      expect(await keysOf('list/')).toEqual(['list/a', 'list/ab/c', 'list/ab/d/e', 'list/b']);
      expect(await keysOf('list/a')).toEqual(['list/a', 'list/ab/c', 'list/ab/d/e']);
      expect(await keysOf('list')).toContain('listen');
      expect(await keysOf('list/ab/d/')).toEqual(['list/ab/d/e']);
      expect(await keysOf('nothing/here')).toEqual([]);
      expect(await keysOf('')).toEqual(expect.arrayContaining(['listen', 'list/b']));
    });

    it('removes an object, and is harmless when there is none', async () => {
      await objects.put('remove/one', Buffer.from('x'));
      await objects.remove('remove/one');
      await objects.remove('remove/one');
      await objects.remove('remove/none/at/all');
      expect(await objects.stat('remove/one')).toBeNull();
      expect(await keysOf('remove/')).toEqual([]);
    });
  });

  describe('a key', () => {
    it.each(['', '/', '/a', 'a/', 'a//b', '.', '..', 'a/../b', 'a/./b', 'ä', 'a b', 'a\\b', 'a\u0000b', 'a~b', '%2e'])(
      'is refused when it is %j',
      async (key) => {
        const terms = { contentType: 'a/b', size: { max: 1 }, expiresAt: new Date() };
        await expect(objects.put(key, Buffer.from('x'))).rejects.toBeInstanceOf(KeyRefused);
        await expect(objects.putFiles([{ key, path: fileOf('x') }])).rejects.toBeInstanceOf(KeyRefused);
        await expect(objects.stat(key)).rejects.toBeInstanceOf(KeyRefused);
        await expect(objects.remove(key)).rejects.toBeInstanceOf(KeyRefused);
        await expect(objects.presignPut(key, terms)).rejects.toBeInstanceOf(KeyRefused);
        expect(() => objects.read(key)).toThrow(KeyRefused);
      },
    );
  });

  conformPresigned(() => subject);
}

function failing(): Readable {
  return Readable.from(
    (async function* () {
      yield Buffer.alloc(100_000);
      await Promise.resolve();
      throw new Error('the source broke');
    })(),
  );
}
