import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compressArtifact } from './compress-artifact.ts';
import { PackRefused } from './pack-refused.ts';
import { packSlug, type SlugRequest } from './pack-slug.ts';
import { removeArtifacts } from './remove-artifacts.ts';
import type { SlugManifest } from './slug-manifest.ts';
import { blobKey, manifestKey } from './static-manifest.ts';
import { sweepArtifacts } from './sweep-artifacts.ts';
import { openArtifactsBench, sha256, type ArtifactsBench } from './testing/artifacts-bench.ts';
import { ENVIRONMENT, ORGANISATION } from './testing/bench-ids.ts';

let bench: ArtifactsBench;
let staging: string;
beforeEach(async () => {
  bench = await openArtifactsBench();
  staging = mkdtempSync(join(bench.home, 'staging-'));
});
afterEach(() => bench[Symbol.asyncDispose]());

const bytes = Buffer.concat([Buffer.alloc(300_000, 'a tree '), randomBytes(200_000)]);

function requestFor(content: Buffer, change: Partial<SlugRequest> = {}): SlugRequest {
  const archive = join(bench.home, 'slug.tar');
  writeFileSync(archive, content);
  return {
    artifactId: `art_${randomBytes(8).toString('hex')}`,
    organisationId: ORGANISATION,
    environmentId: ENVIRONMENT,
    archive,
    fileCount: 3,
    staging,
    signal: new AbortController().signal,
    onLine: () => {},
    ...change,
  };
}

const rowOf = async (id: string) =>
  (
    await bench.store.pool.query<{ kind: string; state: string }>('select kind, state from artifacts where id = $1', [
      id,
    ])
  ).rows[0];

describe('a slug', () => {
  it('is one blob, named by its hash, and a manifest that tells it', async () => {
    const lines: string[] = [];
    const request = requestFor(bytes, { onLine: (line) => lines.push(line) });
    const packed = await packSlug(bench, request);
    const manifest = JSON.parse(
      readFileSync(join(bench.objectsRoot, manifestKey(request.artifactId)), 'utf8'),
    ) as SlugManifest;
    const blob = readFileSync(join(bench.objectsRoot, blobKey(manifest.hash)));
    expect(sha256(blob)).toBe(manifest.hash);
    expect(zstdDecompressSync(blob).equals(bytes)).toBe(true);
    expect(manifest).toMatchObject({
      kind: 'slug',
      unpackedSize: bytes.length,
      compressedSize: blob.length,
      fileCount: 3,
    });
    expect(packed).toEqual({ fileCount: 3, size: blob.length });
    expect(await rowOf(request.artifactId)).toEqual({ kind: 'slug', state: 'whole' });
    expect(lines).toEqual([expect.stringMatching(/^Packed 3 files, 488 KB: \d+ KB compressed$/)]);
    expect(readdirSync(staging)).toEqual([]);
  });

  it('is never taken away while it is packed, nor by a sweep once it is whole and deployed', async () => {
    await bench.deploy({ status: 'building' });
    const sweeping = {
      ...bench,
      objects: {
        ...bench.objects,
        async putFiles(files: readonly { key: string; path: string }[]) {
          await bench.objects.putFiles(files);
          await sweepArtifacts(bench);
        },
      },
    };
    const request = requestFor(bytes);
    await packSlug(sweeping, request);
    await bench.deploy({ status: 'healthy', artifactId: request.artifactId });
    expect(await sweepArtifacts(bench)).toEqual({ artifacts: 0, manifests: 0, blobs: 0 });
    expect(bench.keys()).toHaveLength(2);
  });

  it('goes with the last artifact that names its blob', async () => {
    const [first, second] = [requestFor(bytes), requestFor(bytes)];
    await packSlug(bench, first);
    await packSlug(bench, second);
    expect(bench.keys().filter((key) => key.startsWith('blobs/'))).toHaveLength(1);
    await removeArtifacts(bench, [first.artifactId]);
    expect(bench.keys()).toHaveLength(2);
    await removeArtifacts(bench, [second.artifactId]);
    expect(bench.keys()).toEqual([]);
  });

  it('whose packing was killed is swept, and may be packed again under the same id', async () => {
    const request = requestFor(bytes);
    const objects = { ...bench.objects, put: async () => Promise.reject(new Error('killed')) };
    const log = { ...bench.log };
    await expect(packSlug({ ...bench, objects, log }, request)).rejects.toThrow('killed');
    expect(await rowOf(request.artifactId)).toBeUndefined();
    expect(bench.keys()).toEqual([]);
    await packSlug(bench, request);
    expect(bench.keys()).toHaveLength(2);
  });

  it('has no compressed forms to be made', async () => {
    const request = requestFor(bytes);
    await packSlug(bench, request);
    expect(await compressArtifact(bench, request.artifactId, { signal: request.signal })).toEqual({ isChanged: false });
  });
});

describe('an archive is refused', () => {
  it('when it is too large, with what to do', async () => {
    const request = requestFor(bytes, { maxBytes: 1000 });
    await expect(packSlug(bench, request)).rejects.toThrow(PackRefused);
    expect(bench.keys()).toEqual([]);
  });

  it('when a link lies in its place, or a folder', async () => {
    const request = requestFor(bytes);
    const link = join(bench.home, 'link.tar');
    symlinkSync(request.archive, link);
    await expect(packSlug(bench, { ...request, archive: link })).rejects.toThrow(/ELOOP/);
    await expect(packSlug(bench, { ...request, archive: bench.home })).rejects.toThrow(PackRefused);
    expect(readdirSync(staging)).toEqual([]);
  });

  it('when it is aborted, and nothing of it is left', async () => {
    const request = requestFor(bytes, { signal: AbortSignal.abort(new Error('cancelled')) });
    await expect(packSlug(bench, request)).rejects.toThrow(/abort/);
    expect(bench.keys()).toEqual([]);
    expect(existsSync(join(staging, `${request.artifactId}.tar.zst`))).toBe(false);
  });
});
