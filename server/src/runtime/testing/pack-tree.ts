import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { blobKey } from '../../artifacts/static-manifest.ts';
import { run } from '../../lib/exec.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import type { InstanceSpec } from '../runtime.ts';

/** A slug of these files in the object store, to be run with the Node of the tests. */
export async function packTree(
  objects: Pick<ObjectStore, 'put'>,
  files: Readonly<Record<string, string>>,
): Promise<Pick<InstanceSpec, 'slug' | 'tools'>> {
  const bytes = zstdCompressSync(await archiveOf(files));
  const hash = createHash('sha256').update(bytes).digest('hex');
  await objects.put(blobKey(hash), bytes);
  return { slug: { artifactId: `art_${hash.slice(0, 12)}`, hash }, tools: { node: process.versions.node } };
}

async function archiveOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-tree-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(folder, 'tree', dirname(name)), { recursive: true });
      writeFileSync(join(folder, 'tree', name), text);
    }
    await run(['tar', '-cf', join(folder, 'tar'), '-C', join(folder, 'tree'), '.'], { env: { PATH: '/usr/bin:/bin' } });
    return readFileSync(join(folder, 'tar'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
