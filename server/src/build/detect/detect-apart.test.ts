import { describe, expect, it } from 'vitest';
import { NOTHING_SET, PlanRefused } from '../plan.ts';
import { detectApart } from './detect-apart.ts';
import { detectPlan } from './detect-plan.ts';
import { memoryTree } from './testing/memory-tree.ts';

const site = { 'package.json': { scripts: { build: 'vite build' }, devDependencies: { vite: '8' } }, 'index.html': '' };

const owner = 'org_a';

describe('detecting in a thread', () => {
  it('comes to the same plan, of several sources at once and of one after the other', async () => {
    const plan = await detectPlan(memoryTree(site), NOTHING_SET);
    const detect = () => detectApart(memoryTree(site), NOTHING_SET, { owner });
    expect(await Promise.all([detect(), detect(), detect()])).toEqual([plan, plan, plan]);
    expect(await detect()).toEqual(plan);
  });

  it('is refused in the same words', async () => {
    const broken = memoryTree({ 'package.json': '[' });
    const error = await detectPlan(broken, NOTHING_SET).catch((refusal: unknown) => refusal as Error);
    expect(error).toBeInstanceOf(PlanRefused);
    await expect(detectApart(broken, NOTHING_SET, { owner })).rejects.toThrow((error as Error).message);
  });

  it('fails as the tree fails', async () => {
    const gone = new TypeError('the disk is gone');
    const tree = { ...memoryTree(site), read: () => Promise.reject(gone) };
    await expect(detectApart(tree, NOTHING_SET, { owner })).rejects.toBe(gone);
  });

  it('is refused when it takes too long by itself, and not for the time in which it waits for files', async () => {
    await expect(detectApart(memoryTree(site), NOTHING_SET, { owner, ownTimeMs: 0 })).rejects.toThrow(PlanRefused);
    await detectApart(memoryTree(site), NOTHING_SET, { owner });
    const slow = memoryTree(site);
    const waitMs = 3_000;
    const read = (path: string) =>
      new Promise<void>((resolve) => setTimeout(resolve, waitMs)).then(() => slow.read(path));
    const plan = await detectApart(
      { ...slow, read: (path) => (path === 'package.json' ? read(path) : slow.read(path)) },
      NOTHING_SET,
      { owner, ownTimeMs: waitMs - 500 },
    );
    expect(plan.framework).toBe('vite');
  });

  it('of many slow sources of one owner keeps nobody else waiting', async () => {
    const gate = Promise.withResolvers<void>();
    const slow = memoryTree(site);
    const held = { ...slow, read: (path: string) => gate.promise.then(() => slow.read(path)) };
    const many = Array.from({ length: 10 }, () => detectApart(held, NOTHING_SET, { owner }));
    expect((await detectApart(slow, NOTHING_SET, { owner: 'org_b' })).framework).toBe('vite');
    gate.resolve();
    await Promise.all(many);
  });
});
