import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { blobKey, manifestKey } from '../../artifacts/static-manifest.ts';
import { eventually } from '../../testing/eventually.ts';
import { writeRelease, type ReleaseOptions } from '../testing/write-release.ts';
import { ObjectCache, type ObjectCacheOptions } from './object-cache.ts';
import { openFaultyObjects } from './testing/faulty-objects.ts';

function open(release: ReleaseOptions, options: Partial<ObjectCacheOptions> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'lilac-cache-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const store = openFaultyObjects();
  const manifest = writeRelease(store.root, release);
  const again = (more: Partial<ObjectCacheOptions> = {}) =>
    new ObjectCache({ root, objects: store.objects, maxBytes: 2 ** 30, ...options, ...more });
  const files = Object.values(manifest.files);
  const pathOf = (at: number) => join(root, blobKey(files[at]!.hash));
  const incoming = () => (existsSync(join(root, 'incoming')) ? readdirSync(join(root, 'incoming', '1')) : []);
  return { ...store, cacheRoot: root, cache: again(), again, files, pathOf, incoming };
}

const target = { artifactId: 'art_1', revision: 1 };
const page = { files: { '/index.html': 'home' } };

const tenKilobytes = (at: number) => Buffer.alloc(10_000, at);

describe('what an edge keeps of a store elsewhere', () => {
  it('is fetched once, however many ask for it at the same time, and then is here', async () => {
    const { cache, again, files, reads, state } = open(page);
    const { hash, size } = files[0]!;
    const read = await Promise.all(Array.from({ length: 50 }, () => cache.readBlob(hash, size)));
    const manifests = await Promise.all(Array.from({ length: 50 }, () => cache.readManifest(target)));
    expect(new Set(read.map(String))).toEqual(new Set(['home']));
    expect(manifests[0]!.files['/index.html']!.hash).toBe(hash);
    expect(reads).toHaveLength(2);
    state.mood = 'away';
    const another = again();
    expect(String(await another.readBlob(hash, size))).toBe('home');
    expect((await another.readManifest(target)).artifactId).toBe('art_1');
  });

  it.each(['away', 'breaks-off', 'lies', 'silent'] as const)(
    'is nothing of what a store gives that is %s',
    async (mood) => {
      const { cache, again, files, state, incoming, pathOf } = open(page, { stallMs: 50 });
      const { hash, size } = files[0]!;
      state.mood = mood;
      await expect(cache.readBlob(hash, size)).rejects.toBeInstanceOf(Error);
      await expect(cache.readManifest(target)).rejects.toBeInstanceOf(Error);
      expect(incoming()).toEqual([]);
      expect(existsSync(pathOf(0))).toBe(false);
      state.mood = 'well';
      expect(String(await again().readBlob(hash, size))).toBe('home');
      expect((await again().readManifest(target)).artifactId).toBe('art_1');
    },
  );

  it('is no site of somebody else, though the store gives its manifest', async () => {
    const { root, cache } = open(page);
    writeRelease(root, { artifactId: 'art_2', files: { '/index.html': 'somebody else' } });
    renameSync(join(root, manifestKey('art_2')), join(root, manifestKey('art_1')));
    await expect(cache.readManifest(target)).rejects.toThrow('art_1');
  });

  it('is not asked for again for each visitor while the store is away', async () => {
    const { cache, files, state, reads } = open(page);
    const { hash, size } = files[0]!;
    state.mood = 'away';
    for (let visitor = 0; visitor < 20; visitor++)
      await expect(cache.readBlob(hash, size)).rejects.toBeInstanceOf(Error);
    expect(reads.length).toBeLessThan(5);
    state.mood = 'well';
    await eventually('it is asked again', () =>
      cache.readBlob(hash, size).then(
        () => true,
        () => false,
      ),
    );
  });

  it('is fetched again when the disk has lost or changed some of it', async () => {
    const { cache, files, pathOf } = open(page);
    const { hash, size } = files[0]!;
    await cache.readBlob(hash, size);
    for (const damaged of ['', 'hom', 'hole']) {
      writeFileSync(pathOf(0), damaged);
      expect(String(await cache.readBlob(hash, size))).toBe('home');
    }
  });

  it('is read anew when the release has a new revision', async () => {
    const { root, cache, reads } = open(page);
    await cache.readManifest(target);
    writeRelease(root, { files: { '/index.html': 'home', '/new.html': 'new' } });
    expect(Object.keys((await cache.readManifest({ ...target, revision: 2 })).files)).toContain('/new.html');
    expect(Object.keys((await cache.readManifest(target)).files)).not.toContain('/new.html');
    expect(reads).toHaveLength(2);
  });

  it('makes room: what was not used for the longest goes first, and what comes just now stays', async () => {
    const release = Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [`/${at}`, { content: tenKilobytes(at) }]),
    );
    const { cache, files, pathOf } = open({ files: release }, { maxBytes: 80_000 });
    for (const [at, { hash, size }] of files.slice(0, 9).entries()) {
      await cache.bringBlob(hash, size);
      const usedAt = Date.now() / 1000 - 3600 + 60 * at;
      utimesSync(pathOf(at), usedAt, usedAt);
    }
    // Asked for again: it was used a moment ago.
    await cache.bringBlob(files[0]!.hash, files[0]!.size);
    await cache.bringBlob(files[9]!.hash, files[9]!.size);
    await cache.shrink();
    const left = files.map((_, at) => at).filter((at) => existsSync(pathOf(at)));
    expect(left).toEqual(expect.arrayContaining([0, 8, 9]));
    expect(left).not.toContain(1);
    expect(left.reduce((sum, at) => sum + statSync(pathOf(at)).size, 0)).toBeLessThanOrEqual(80_000);
  });

  it('is rid of what an edge that was killed left half-done', async () => {
    const { cacheRoot, cache } = open(page);
    mkdirSync(join(cacheRoot, 'incoming', '1'), { recursive: true });
    writeFileSync(join(cacheRoot, 'incoming', '1', 'half'), 'ho');
    await cache.start();
    expect(existsSync(join(cacheRoot, 'incoming', '1'))).toBe(false);
  });
});
