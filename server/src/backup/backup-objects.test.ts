import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compressArtifact } from '../artifacts/compress-artifact.ts';
import { packSlug } from '../artifacts/pack-slug.ts';
import { removeArtifacts } from '../artifacts/remove-artifacts.ts';
import { blobKey, manifestKey } from '../artifacts/static-manifest.ts';
import { sweepArtifacts } from '../artifacts/sweep-artifacts.ts';
import { listFiles, openArtifactsBench, sha256, type ArtifactsBench } from '../artifacts/testing/artifacts-bench.ts';
import { openObjects } from '../artifacts/testing/open-objects.ts';
import { systemClock } from '../lib/clock.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { openKeyring } from '../secrets/key-file.ts';
import { createTestStore } from '../testing/test-store.ts';
import { restoreBackup } from './restore-backup.ts';
import { writeBackup } from './write-backup.ts';

let bench: ArtifactsBench;
beforeEach(async () => {
  bench = await openArtifactsBench();
  openKeyring(join(bench.home, 'keys.json'));
});
afterEach(() => bench[Symbol.asyncDispose]());

const page = '<p>hello, hello, hello</p>\n'.repeat(100);
const large = randomBytes(3 * 1024 * 1024);
const path = () => join(bench.home, 'lilac.backup');
const objectsThere = () => join(bench.home, 'there');

function write(objects: ObjectStore = bench.objects) {
  const keyFile = join(bench.home, 'keys.json');
  return writeBackup({ store: bench.store, objects, keyFile, clock: systemClock, path: path(), lilacVersion: '0.1.0' });
}

/** Into an empty store with no objects. */
async function restore() {
  const store = await createTestStore({ migrated: false });
  const objects = openObjects(objectsThere());
  const keyFile = join(bench.home, 'keys-there.json');
  const report = await restoreBackup({ store, objects, keyFile, clock: systemClock, path: path() });
  return { store, objects, report, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

const keysThere = () => (existsSync(objectsThere()) ? listFiles(objectsThere()) : []);

/** Changes the text of the backup, bytes and characters one to one. */
function rewrite(change: (text: string) => string): void {
  const text = gunzipSync(readFileSync(path())).toString('latin1');
  writeFileSync(path(), gzipSync(Buffer.from(change(text), 'latin1')));
}

describe('a backup holds', () => {
  it('every object that a row names, and a restore puts them back byte for byte', async () => {
    const site = await bench.pack({ 'index.html': page, 'film.mp4': large, 'empty.txt': '', _headers: '/*\n X-A: 1' });
    await compressArtifact(bench, site.artifactId, { signal: new AbortController().signal });
    await bench.deploy({ status: 'healthy', artifactId: site.artifactId });
    await bench.objects.put('uploads/org_bench/upl_1.zip', large);
    await bench.store.pool.query(
      `insert into uploads (id, organisation_id, status, file_name, content_type, storage_path, expires_at) values
       ('upl_1', 'org_bench', 'ready', 'a.zip', 'application/zip', 'uploads/org_bench/upl_1.zip', now()),
       ('upl_2', 'org_bench', 'consumed', 'b.zip', 'application/zip', 'uploads/org_bench/upl_2.zip', now())`,
    );
    const named = bench.keys();
    await bench.objects.put(blobKey(sha256('nobody')), Buffer.from('nobody'));

    const { objects } = await write();
    expect(objects).toMatchObject({ count: named.length, missing: [], damaged: [] });
    await using there = await restore();

    expect(there.report).toMatchObject({ objects: named.length, damagedObjects: [] });
    expect(keysThere()).toEqual(named);
    for (const key of named) {
      expect(readFileSync(join(objectsThere(), key)).equals(readFileSync(join(bench.objectsRoot, key)))).toBe(true);
    }
    expect(await sweepArtifacts({ ...bench, ...there })).toEqual({ artifacts: 0, manifests: 0, blobs: 0 });
  });

  it('the slugs of servers, and a restore puts them back byte for byte', async () => {
    const archive = join(bench.home, 'slug.tar');
    writeFileSync(archive, large);
    const artifactId = 'art_slug';
    const place = { organisationId: 'org_bench', environmentId: 'env_bench', staging: bench.home };
    const { signal } = new AbortController();
    await packSlug(bench, { artifactId, ...place, archive, fileCount: 1, signal, onLine: () => {} });
    await bench.deploy({ status: 'healthy', artifactId });
    const named = bench.keys();
    expect((await write()).objects).toMatchObject({ count: 2, missing: [], damaged: [] });
    await using there = await restore();
    expect(keysThere()).toEqual(named);
    for (const key of named) {
      expect(readFileSync(join(objectsThere(), key)).equals(readFileSync(join(bench.objectsRoot, key)))).toBe(true);
    }
    expect(await sweepArtifacts({ ...bench, ...there })).toEqual({ artifacts: 0, manifests: 0, blobs: 0 });
  });

  it('what its moment needs, though it is removed while the backup is made', async () => {
    const { artifactId } = await bench.pack({ 'index.html': page, 'a.txt': 'a' });
    let isRemoved = false;
    const removing: ObjectStore = {
      ...bench.objects,
      async stat(key) {
        if (!isRemoved) await removeArtifacts(bench, [artifactId]);
        isRemoved = true;
        return bench.objects.stat(key);
      },
    };
    expect((await write(removing)).objects).toMatchObject({ count: 3, missing: [] });
    expect(isRemoved).toBe(true);
    await using _there = await restore();
    expect(keysThere()).toHaveLength(3);
    // The next sweep finds what was kept for the backup alone.
    await expect.poll(() => sweepArtifacts(bench)).toMatchObject({ blobs: 2 });
  });

  it('no compressed form in a manifest that came after its moment', async () => {
    const { artifactId } = await bench.pack({ 'index.html': page });
    let isCompressed = false;
    const compressing: ObjectStore = {
      ...bench.objects,
      async stat(key) {
        if (!isCompressed) {
          isCompressed = true;
          await compressArtifact(bench, artifactId, { signal: new AbortController().signal });
        }
        return bench.objects.stat(key);
      },
    };
    await write(compressing);
    expect(bench.manifestOf(artifactId).files['/index.html']!.variants).toHaveProperty('br');
    await using there = await restore();
    const manifest = JSON.parse(String(await buffer(there.objects.read(manifestKey(artifactId))))) as {
      files: Record<string, { variants: object }>;
    };
    expect(manifest.files['/index.html']!.variants).toEqual({});
    expect(keysThere()).toHaveLength(2);
  });

  it('nothing of an artifact that is being packed', async () => {
    await bench.store.pool.query(
      `insert into artifacts (id, organisation_id, environment_id, kind) values ('art_1', 'org_bench', 'env_bench', 'static');
       insert into artifact_blobs values ('art_1', '\\x00')`,
    );
    expect((await write()).objects).toEqual({ count: 0, bytes: 0, missing: [], damaged: [] });
  });
});

describe('what is wrong with objects is told, and the rest is carried', () => {
  it('when one is missing', async () => {
    const { artifactId } = await bench.pack({ 'index.html': page, 'a.txt': 'a' });
    rmSync(join(bench.objectsRoot, blobKey(sha256('a'))));
    rmSync(join(bench.objectsRoot, manifestKey(artifactId)));
    expect((await write()).objects).toMatchObject({
      count: 1,
      missing: [manifestKey(artifactId), blobKey(sha256('a'))],
    });
    await using there = await restore();
    expect(there.report.objects).toBe(1);
  });

  it.each([
    ['small', Buffer.from('a')],
    ['large', large],
  ])('when the disk has changed a %s one', async (_size, content) => {
    await bench.pack({ 'index.html': page, 'a.bin': content });
    const key = blobKey(sha256(content));
    writeFileSync(join(bench.objectsRoot, key), Buffer.alloc(content.length, '?'));
    expect((await write()).objects).toMatchObject({ count: 3, damaged: [key] });
    await using there = await restore();
    expect(there.report).toMatchObject({ objects: 2, damagedObjects: [key] });
    expect(keysThere()).not.toContain(key);
  });
});

describe('a backup with objects is refused, and nothing is written, when', () => {
  it.each<[string, (text: string) => string, RegExp]>([
    ['a byte of an object was changed', (text) => text.replace('<p>hello', '<p>hallo'), /checksum/],
    ['an object is cut short', (text) => text.slice(0, text.lastIndexOf('hello')), /cut short/],
    ['an object is to go elsewhere', (text) => text.replace('"object":"blobs/', '"object":"../../'), /does not belong/],
    ['the size of an object is not one', (text) => text.replace(/"size":\d+/, '"size":-1'), /does not belong/],
  ])('%s', async (_name, change, message) => {
    await bench.pack({ 'index.html': page });
    await write();
    rewrite(change);
    await expect(restore()).rejects.toThrow(message);
    expect(keysThere()).toEqual([]);
  });
});

describe('a backup of the first format, which had no objects', () => {
  it('is restored as before', async () => {
    await write();
    rewrite((text) => {
      const older = text
        .replace('"version":2', '"version":1')
        .replace(/"freeSequences":\[.*?\],/, '')
        .replace('"objects":0,', '');
      const at = older.lastIndexOf('\n', older.length - 2) + 1;
      const checksum = sha256(Buffer.from(older.slice(0, at), 'latin1'));
      return older.slice(0, at) + older.slice(at).replace(/"sha256":"\w+"/, `"sha256":"${checksum}"`);
    });
    await using there = await restore();
    expect(there.report).toMatchObject({ objects: 0, rows: { environments: 1 } });
  });
});
