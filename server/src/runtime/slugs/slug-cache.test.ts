import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../lib/log.ts';
import { createSlugCache, type SlugUse } from './slug-cache.ts';

const isRoot = process.getuid?.() === 0;
const uid = isRoot ? 31_000 : (process.getuid?.() ?? 0);
let root: string;
let unpacked: string[];
let used: Set<string>;
beforeEach(() => {
  root = join(mkdtempSync(join(tmpdir(), 'lilac-slugs-')), 'slugs');
  onTestFinished(() => rmSync(join(root, '..'), { recursive: true, force: true }));
  unpacked = [];
  used = new Set();
});

const unpack = async ({ artifactId }: SlugUse, folder: string) => {
  unpacked.push(artifactId);
  await new Promise((resolve) => setTimeout(resolve, 20));
  writeFileSync(join(folder, 'file'), 'x'.repeat(100_000));
};
const open = (changes = {}) => createSlugCache({ root, log: silentLog, unpack, inUse: () => used, ...changes });
const use = (artifactId: string, cache = open()) => cache.use({ artifactId, hash: 'h', uid });
/** Used so long ago that nobody can be about to start in it. */
const age = (artifactId: string, minutes: number) => {
  const then = new Date(Date.now() - minutes * 60_000);
  utimesSync(join(root, artifactId), then, then);
};

describe('trees of servers', () => {
  it('are unpacked once, however many want them at the same time', async () => {
    const cache = open();
    const trees = await Promise.all([use('a', cache), use('a', cache), use('b', cache), use('a', cache)]);
    expect(new Set(trees).size).toBe(2);
    expect(unpacked.toSorted()).toEqual(['a', 'b']);
    await use('a', open());
    expect(unpacked).toHaveLength(2);
  });

  it('are there whole or not at all', async () => {
    const failing = open({
      unpack: async (_slug: SlugUse, folder: string) => {
        writeFileSync(join(folder, 'half'), '');
        throw new Error('broken off');
      },
    });
    await expect(use('a', failing)).rejects.toThrow('broken off');
    expect(readdirSync(root)).toEqual([]);
    expect(existsSync(join(await use('a'), 'file'))).toBe(true);
  });

  it('go when there are too many: the least recently used, and never one in use', async () => {
    const cache = open({ maxBytes: 250_000 });
    for (const name of ['a', 'b', 'c', 'd']) await use(name, cache);
    for (const [name, minutes] of [
      ['a', 60],
      ['b', 50],
      ['c', 40],
      ['d', 30],
    ] as const)
      age(name, minutes);
    used.add('a');
    await cache.evict();
    expect(readdirSync(root).toSorted()).toEqual(['a', 'd']);
  });

  it('stay while somebody may be about to start in them', async () => {
    const cache = open({ maxBytes: 0 });
    await use('a', cache);
    await cache.evict();
    expect(readdirSync(root)).toEqual(['a']);
  });

  it('what a killed process left half-unpacked is swept', async () => {
    mkdirSync(join(root, '.draft-999999999-0-a', 'tree'), { recursive: true });
    await open().evict();
    expect(readdirSync(root)).toEqual([]);
  });
});
