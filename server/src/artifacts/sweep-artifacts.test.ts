import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COLLECTION_HOLD } from '../db/collection-hold.ts';
import { removeArtifacts } from './remove-artifacts.ts';
import { blobKey, manifestKey } from './static-manifest.ts';
import { sweepArtifacts } from './sweep-artifacts.ts';
import { openArtifactsBench, sha256, type ArtifactsBench } from './testing/artifacts-bench.ts';

let bench: ArtifactsBench;
beforeEach(async () => {
  bench = await openArtifactsBench();
});
afterEach(() => bench[Symbol.asyncDispose]());

const artifactIds = async () => {
  const { rows } = await bench.store.pool.query<{ id: string }>('select id from artifacts order by id');
  return rows.map(({ id }) => id);
};

function leaveObject(key: string): void {
  mkdirSync(dirname(join(bench.objectsRoot, key)), { recursive: true });
  writeFileSync(join(bench.objectsRoot, key), 'left behind');
}

describe('sweeping', () => {
  it('keeps the artifact of a deployment, and one that a build may be making', async () => {
    const { artifactId } = await bench.pack({ 'index.html': 'kept' });
    await bench.deploy({ status: 'healthy', artifactId });
    await bench.pack({ 'index.html': 'perhaps being made' }, { artifactId: 'art_new' });
    const building = await bench.deploy({ status: 'building' });
    expect(await sweepArtifacts(bench)).toEqual({ artifacts: 0, manifests: 0, blobs: 0 });
    await bench.store.pool.query(`update deployments set status = 'failed' where id = $1`, [building]);
    expect(await sweepArtifacts(bench)).toMatchObject({ artifacts: 1 });
    expect(await artifactIds()).toEqual([artifactId]);
    expect(bench.faultsOf(artifactId)).toEqual([]);
    expect(bench.keys()).toHaveLength(2);
  });

  it('takes the artifacts of an environment that is gone', async () => {
    const { artifactId } = await bench.pack({ 'index.html': 'x' });
    await bench.deploy({ status: 'healthy', artifactId });
    await bench.store.pool.query('delete from environments');
    expect(await sweepArtifacts(bench)).toMatchObject({ artifacts: 1 });
    expect(bench.keys()).toEqual([]);
  });

  it('takes objects that no row names, and nothing of others', async () => {
    const { artifactId } = await bench.pack({ 'index.html': 'kept' });
    await bench.deploy({ status: 'healthy', artifactId });
    leaveObject(blobKey(sha256('nobody needs me')));
    leaveObject(manifestKey('art_nobody'));
    leaveObject('uploads/org_bench/upl_1.zip');
    expect(await sweepArtifacts(bench)).toEqual({ artifacts: 0, manifests: 1, blobs: 1 });
    expect(bench.keys()).toEqual([blobKey(sha256('kept')), manifestKey(artifactId), 'uploads/org_bench/upl_1.zip']);
  });

  it('deletes no object while a backup is made, and does so afterwards', async () => {
    const { artifactId } = await bench.pack({ 'index.html': 'x' });
    const before = bench.keys();
    const backup = bench.store.newClient();
    await backup.connect();
    await backup.query(`select pg_advisory_lock_shared(${COLLECTION_HOLD})`);
    await removeArtifacts(bench, [artifactId]);
    await sweepArtifacts(bench);
    expect(bench.keys()).toEqual(before);
    await backup.end();
    // The session's end is seen a moment later.
    while ((await sweepArtifacts(bench)).blobs === 0);
    expect(bench.keys()).toEqual([]);
  });
});

describe('removing', () => {
  it('keeps what another artifact needs', async () => {
    const first = await bench.pack({ 'index.html': 'same', 'a.txt': 'one' });
    const second = await bench.pack({ 'index.html': 'same', 'a.txt': 'two' });
    await removeArtifacts(bench, [first.artifactId]);
    expect(bench.faultsOf(second.artifactId)).toEqual([]);
    expect(bench.keys()).toHaveLength(3);
    await removeArtifacts(bench, []);
    await removeArtifacts(bench, [first.artifactId, second.artifactId]);
    expect(bench.keys()).toEqual([]);
  });
});
