import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chooseEvicted, evictAfterBuild, evictCaches, type CacheLimits, type Kept } from './evict-caches.ts';
import { holdStore } from './hold-store.ts';

const DAY_MS = 24 * 3600 * 1000;
const NOW = 100 * DAY_MS;
const limits: CacheLimits = { environmentBytes: 100, totalBytes: 150, idleMs: 30 * DAY_MS };
const entry = (
  path: string,
  owner: string,
  daysAgo: number,
  sizeBytes: number,
  kind: Kept['kind'] = 'installed',
): Kept => ({
  path,
  owner,
  kind,
  sizeBytes,
  usedAt: NOW - daysAgo * DAY_MS,
});
const evicted = (...kept: Kept[]) => chooseEvicted(kept, limits, NOW).map(({ path }) => path);

describe('eviction', () => {
  it('keeps everything that is within the limits', () => {
    expect(evicted(entry('a', 'one', 1, 60), entry('b', 'two', 2, 60))).toEqual([]);
  });

  it('takes what an environment used longest ago when it has more than its share', () => {
    expect(evicted(entry('old', 'one', 3, 60), entry('new', 'one', 1, 60), entry('b', 'two', 9, 60))).toEqual(['old']);
  });

  it('takes what anybody used longest ago when all have more than there is room for', () => {
    expect(evicted(entry('a', 'one', 3, 90), entry('b', 'two', 1, 50), entry('c', 'three', 2, 50))).toEqual(['a']);
  });

  it('takes what nobody has used for long', () => {
    expect(evicted(entry('a', 'one', 31, 1))).toEqual(['a']);
  });

  it('takes what a killed worker left half-written', () => {
    expect(evicted(entry('half', 'one', 100, Infinity), entry('whole', 'one', 1, 10))).toEqual(['half']);
  });

  it('counts the downloads of an organisation like anything else', () => {
    const store = entry('s', 'org', 2, 120, 'store');
    expect(evicted(store, entry('a', 'one', 1, 60))).toEqual(['s']);
  });
});

describe('the downloads of an organisation', () => {
  it('are not evicted while a build uses them', async () => {
    const root = mkdtempSync(join(tmpdir(), 'lilac-caches-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const tiny = { ...limits, totalBytes: 0 };
    const store = join(root, 'stores', 'org_1');
    const use = await holdStore({ root, organisationId: 'org_1', deploymentId: 'dep_1', uid: 30_000 });
    await evictCaches(root, tiny);
    expect(existsSync(store)).toBe(true);
    await use[Symbol.asyncDispose]();
    await evictCaches(root, tiny);
    expect(existsSync(store)).toBe(false);
  });

  it('are evicted after the build that made them too large, and no others', async () => {
    const root = mkdtempSync(join(tmpdir(), 'lilac-caches-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const [grown, other] = ['org_1', 'org_2'].map((name) => join(root, 'stores', name)) as [string, string];
    for (const store of [grown, other]) {
      mkdirSync(store, { recursive: true });
      writeFileSync(join(store, 'file'), Buffer.alloc(100_000, 1));
    }
    const request = { organisationId: 'org_1', environmentId: 'env_1' };
    await evictAfterBuild(root, request, { ...limits, environmentBytes: 1_000_000, totalBytes: 1_000_000 });
    expect(existsSync(grown)).toBe(true);
    await evictAfterBuild(root, request, { ...limits, environmentBytes: 50_000 });
    expect([existsSync(grown), existsSync(other)]).toEqual([false, true]);
  });
});
