import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { compressArtifact } from './compress-artifact.ts';
import { removeArtifacts } from './remove-artifacts.ts';
import { blobKey } from './static-manifest.ts';
import { openArtifactsBench, sha256, type ArtifactsBench } from './testing/artifacts-bench.ts';

let bench: ArtifactsBench;
beforeEach(async () => {
  bench = await openArtifactsBench();
});
afterEach(() => bench[Symbol.asyncDispose]());

const page = '<p>hello, hello, hello</p>\n'.repeat(100);
const noise = randomBytes(2000);
const compress = (artifactId: string, signal = new AbortController().signal) =>
  compressArtifact(bench, artifactId, { signal });
const blob = (hash: string) => readFileSync(join(bench.objectsRoot, blobKey(hash)));
const variantRows = async () =>
  (await bench.store.pool.query(`select encode(hash, 'hex') as hash, coding, variant_hash from blob_variants`)).rows;

describe('compressing an artifact', () => {
  it('adds forms that hold the same, to what gets smaller only', async () => {
    const { artifactId } = await bench.pack({
      'index.html': page,
      'small.html': '<p>hi</p>',
      'noise.txt': noise,
      'picture.png': page,
    });
    // The same content under a name that is not compressed keeps being served as it is.
    expect(await compress(artifactId)).toEqual({ isChanged: true });
    const { files } = bench.manifestOf(artifactId);
    const { br, gzip } = files['/index.html']!.variants;
    expect(brotliDecompressSync(blob(br!.hash)).toString()).toBe(page);
    expect(gunzipSync(blob(gzip!.hash)).toString()).toBe(page);
    expect(br!.size).toBe(blob(br!.hash).length);
    expect(sha256(blob(br!.hash))).toBe(br!.hash);
    expect(br!.size).toBeLessThan(gzip!.size);
    for (const path of ['/small.html', '/noise.txt', '/picture.png']) expect(files[path]!.variants).toEqual({});
    const { rows } = await bench.store.pool.query(`select compressed_at from artifacts`);
    expect(rows).toEqual([{ compressed_at: expect.any(Date) as Date }]);
  });

  it('bears files that are called like members of every object', async () => {
    const names = ['constructor', 'x.constructor', 'valueOf', '__proto__', 'x.__proto__', 'toString'];
    const site = Object.fromEntries(names.map((name) => [name, page]));
    const { artifactId } = await bench.pack({ ...site, 'deep/__proto__/index.html': page });
    expect(await compress(artifactId)).toEqual({ isChanged: true });
    const { files } = bench.manifestOf(artifactId);
    const paths = names.map((name) => `/${name}`);
    expect(Object.keys(files).toSorted()).toEqual([...paths, '/deep/__proto__/index.html'].toSorted());
    for (const path of paths) expect(files[path]).toMatchObject({ type: 'application/octet-stream', variants: {} });
    expect(files['/deep/__proto__/index.html']!.variants).toHaveProperty('br');
  });

  it('changes nothing the second time', async () => {
    const { artifactId } = await bench.pack({ 'index.html': page });
    await compress(artifactId);
    const before = bench.keys();
    expect(await compress(artifactId)).toEqual({ isChanged: false });
    expect(bench.keys()).toEqual(before);
  });

  it('is done once for a content: the next artifact has the forms as soon as it is packed', async () => {
    const first = await bench.pack({ 'index.html': page, 'noise.txt': noise });
    await compress(first.artifactId);
    const before = await variantRows();
    expect(before).toHaveLength(4);
    const second = await bench.pack({ 'other.html': page, 'noise.txt': noise });
    expect(bench.manifestOf(second.artifactId).files['/other.html']!.variants).toEqual(
      bench.manifestOf(first.artifactId).files['/index.html']!.variants,
    );
    expect(await compress(second.artifactId)).toEqual({ isChanged: false });
    // Gone with the first, they would be gone for the second.
    await removeArtifacts(bench, [first.artifactId]);
    expect(bench.faultsOf(second.artifactId)).toEqual([]);
    await removeArtifacts(bench, [second.artifactId]);
    expect(bench.keys()).toEqual([]);
    expect(await variantRows()).toEqual([]);
  });

  it('makes a form anew that is known but gone', async () => {
    const first = await bench.pack({ 'index.html': page });
    await compress(first.artifactId);
    const { br } = bench.manifestOf(first.artifactId).files['/index.html']!.variants;
    rmSync(join(bench.objectsRoot, blobKey(br!.hash)));
    const second = await bench.pack({ 'index.html': page });
    expect(Object.keys(bench.manifestOf(second.artifactId).files['/index.html']!.variants)).toEqual(['gzip']);
    expect(await compress(second.artifactId)).toEqual({ isChanged: true });
    expect(bench.faultsOf(second.artifactId)).toEqual([]);
  });

  it('does nothing to an artifact that is gone, before or meanwhile', async () => {
    expect(await compress('art_nothing')).toEqual({ isChanged: false });
    const site = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${at}.html`, `${at}${page}`]));
    const { artifactId } = await bench.pack(site);
    const [{ isChanged }] = await Promise.all([compress(artifactId), removeArtifacts(bench, [artifactId])]);
    expect(isChanged).toBe(false);
    expect(bench.keys().filter((key) => key.startsWith('manifests/'))).toEqual([]);
  });

  it('stops when it is told to, and goes on where it was', async () => {
    const site = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`${at}.html`, `${at}${page}`]));
    const { artifactId } = await bench.pack(site);
    const abort = new AbortController();
    const end = compress(artifactId, abort.signal).catch((error: Error) => error.message);
    await eventually('a part is done', async () => (await variantRows()).length >= 64);
    abort.abort(new Error('enough'));
    expect(await end).toBe('enough');
    const done = await variantRows();
    expect(done.length).toBeLessThan(600);
    expect(bench.faultsOf(artifactId)).toEqual([]);
    expect(await compress(artifactId)).toEqual({ isChanged: true });
    expect(await variantRows()).toHaveLength(600);
    expect(bench.faultsOf(artifactId)).toEqual([]);
  });
});
