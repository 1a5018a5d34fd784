import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { start } from '../lib/exec.ts';
import { eventually } from '../testing/eventually.ts';
import type { ArtifactsDeps } from './artifacts-deps.ts';
import { compressArtifact } from './compress-artifact.ts';
import { removeArtifacts } from './remove-artifacts.ts';
import { sweepArtifacts } from './sweep-artifacts.ts';
import { openArtifactsBench, type ArtifactsBench, type Site } from './testing/artifacts-bench.ts';

const program = join(import.meta.dirname, 'testing', 'packer-program.ts');

/** Contents that come again and again: what one removes another is about to use. */
function siteOf(seed: number, count = 12): Site {
  const files = Array.from({ length: count }, (_, at) => {
    const content = (seed * 7 + at * at) % 20;
    return [`${at}.html`, `content ${content} `.repeat(60)] as const;
  });
  return Object.fromEntries(files);
}

/** Between the look whether a blob is needed and its end there is time for everything else. */
function withSlowRemoval(bench: ArtifactsBench): ArtifactsDeps {
  const remove = async (key: string) => {
    await delay(5);
    await bench.objects.remove(key);
  };
  return { ...bench, objects: { ...bench.objects, remove } };
}

async function packAndRemove(bench: ArtifactsBench, lane: number): Promise<void> {
  for (let round = 0; round < 15; round++) {
    const { artifactId } = await bench.pack(siteOf(lane * 31 + round));
    expect(bench.faultsOf(artifactId)).toEqual([]);
    if (round % 3 === 0) await compressArtifact(bench, artifactId, { signal: new AbortController().signal });
    expect(bench.faultsOf(artifactId)).toEqual([]);
    await removeArtifacts(withSlowRemoval(bench), [artifactId]);
  }
}

/** How much lies on the disk, and how many rows there are. */
async function usage(bench: ArtifactsBench) {
  const count = async (table: string) =>
    (await bench.store.pool.query<{ count: number }>(`select count(*)::int as count from ${table}`)).rows[0]!.count;
  return {
    objects: bench.keys().length,
    artifacts: await count('artifacts'),
    names: await count('artifact_blobs'),
    variants: await count('blob_variants'),
  };
}

describe('packers, collectors and sweeps at the same time', () => {
  it('never lose a blob that an artifact needs, and leave none that nobody needs', async () => {
    await using bench = await openArtifactsBench();
    // Moving, so that the sweeps leave alone what is being packed.
    const moving = await bench.deploy({ status: 'building' });
    const kept = await bench.pack(siteOf(1));
    await bench.deploy({ status: 'healthy', artifactId: kept.artifactId });
    const done = new AbortController();
    const sweeping = (async () => {
      while (!done.signal.aborted) await sweepArtifacts(withSlowRemoval(bench));
    })();
    await Promise.all([1, 2, 3, 4].map((lane) => packAndRemove(bench, lane))).finally(() => done.abort());
    await sweeping;
    await bench.store.pool.query(`update deployments set status = 'failed' where id = $1`, [moving]);
    expect(bench.faultsOf(kept.artifactId)).toEqual([]);
    await sweepArtifacts(bench);
    await removeArtifacts(bench, [kept.artifactId]);
    expect(await usage(bench)).toEqual({ objects: 0, artifacts: 0, names: 0, variants: 0 });
  });
});

const MOMENTS = 12;
const ENDINGS = ['packing', 'whole'];
const momentOf = (attempt: number): number => (attempt % MOMENTS) * 50 + Math.floor(attempt / MOMENTS) * 10;

describe('a packer that is killed at any moment', () => {
  it('leaves nothing after a sweep, and takes nothing that is needed', { timeout: 180_000 }, async () => {
    await using bench = await openArtifactsBench();
    const shared = siteOf(0, 100);
    const kept = await bench.pack(shared);
    await bench.deploy({ status: 'healthy', artifactId: kept.artifactId });
    const before = await usage(bench);
    const states = new Set<string>();
    // On a busy machine packing may fall between two moments: then others are tried, until both were met.
    for (
      let attempt = 0;
      attempt < MOMENTS || (attempt < 5 * MOMENTS && !ENDINGS.every((ending) => states.has(ending)));
      attempt++
    ) {
      const own = Array.from({ length: 200 }, (_, at) => [`own-${at}.html`, `${attempt} ${at} `.repeat(50)]);
      const folder = bench.folderOf({ ...shared, ...(Object.fromEntries(own) as Site) });
      states.add(await packAndKill(bench, { folder, artifactId: `art_${attempt}`, afterMs: momentOf(attempt) }));
      await sweepArtifacts(bench);
      await bench.objects.sweep();
      expect(bench.faultsOf(kept.artifactId)).toEqual([]);
      expect(await usage(bench)).toEqual({ ...before, variants: expect.any(Number) as number });
    }
    expect([...states]).toEqual(expect.arrayContaining(ENDINGS));
    await removeArtifacts(bench, [kept.artifactId]);
    await sweepArtifacts(bench);
    expect(await usage(bench)).toEqual({ objects: 0, artifacts: 0, names: 0, variants: 0 });
  });
});

/** In which state the artifact was when its packer was gone. */
async function packAndKill(
  { store, objectsRoot }: ArtifactsBench,
  { folder, artifactId, afterMs }: { folder: string; artifactId: string; afterMs: number },
): Promise<string> {
  const argv = [process.execPath, program, '--url', store.url, '--objects', objectsRoot] as const;
  const child = start([...argv, '--folder', folder, '--id', artifactId], {
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await once(child.stdout!, 'data');
  await Promise.race([delay(afterMs), exited]);
  child.kill('SIGKILL');
  await exited;
  // What it had sent to the store may still be carried out.
  await eventually('its sessions are gone', async () => {
    const { rowCount } = await store.pool.query(
      `select from pg_stat_activity where datname = current_database() and application_name = 'lilac packer'`,
    );
    return rowCount === 0;
  });
  const { rows } = await store.pool.query<{ state: string }>('select state from artifacts where id = $1', [artifactId]);
  return rows[0]?.state ?? 'none';
}

describe('a hundred artifacts with changing content, packed, compressed and removed', () => {
  it('leave as much on the disk as there was', { timeout: 180_000 }, async () => {
    await using bench = await openArtifactsBench();
    const window: string[] = [];
    const sizes: number[] = [];
    for (let number = 0; number < 100; number++) {
      const changing = Array.from({ length: 10 }, (_, at) => [`own-${at}.js`, `${number} ${at} `.repeat(100)] as const);
      const { artifactId } = await bench.pack({ ...siteOf(0), ...Object.fromEntries(changing) });
      window.push(artifactId);
      if (number % 5 === 0) await compressArtifact(bench, artifactId, { signal: new AbortController().signal });
      if (window.length > 5) await removeArtifacts(bench, [window.shift()!]);
      sizes.push((await usage(bench)).objects);
      expect(bench.faultsOf(artifactId)).toEqual([]);
    }
    // One of any five is compressed, so that the last ones look like those before.
    expect(sizes.slice(10)).toEqual(sizes.slice(10).map((_, at) => sizes[10 + (at % 5)]));
    await removeArtifacts(bench, window);
    expect(await usage(bench)).toEqual({ objects: 0, artifacts: 0, names: 0, variants: 0 });
  });
});
