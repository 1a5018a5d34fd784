import { describe, expect, it } from 'vitest';
import { NOTHING_SET, PlanRefused } from '../plan.ts';
import { detectApart } from './detect-apart.ts';
import { detectPlan } from './detect-plan.ts';
import { memoryTree } from './testing/memory-tree.ts';

const site = { 'package.json': { scripts: { build: 'vite build' }, devDependencies: { vite: '8' } }, 'index.html': '' };

describe('detecting in a thread', () => {
  it('comes to the same plan, of several sources at once and of one after the other', async () => {
    const plan = await detectPlan(memoryTree(site), NOTHING_SET);
    const detect = () => detectApart(memoryTree(site), NOTHING_SET);
    expect(await Promise.all([detect(), detect(), detect()])).toEqual([plan, plan, plan]);
    expect(await detect()).toEqual(plan);
  });

  it('is refused in the same words', async () => {
    const broken = memoryTree({ 'package.json': '[' });
    const error = await detectPlan(broken, NOTHING_SET).catch((refusal: unknown) => refusal as Error);
    expect(error).toBeInstanceOf(PlanRefused);
    await expect(detectApart(broken, NOTHING_SET)).rejects.toThrow((error as Error).message);
  });

  it('fails as the tree fails', async () => {
    const gone = new TypeError('the disk is gone');
    const tree = { ...memoryTree(site), read: () => Promise.reject(gone) };
    await expect(detectApart(tree, NOTHING_SET)).rejects.toBe(gone);
  });

  it('is refused when it takes too long by itself, and not for the time in which it waits for files', async () => {
    await expect(detectApart(memoryTree(site), NOTHING_SET, 0)).rejects.toThrow(PlanRefused);
    await detectApart(memoryTree(site), NOTHING_SET);
    const slow = memoryTree(site);
    const waitMs = 3_000;
    const read = (path: string) =>
      new Promise<void>((resolve) => setTimeout(resolve, waitMs)).then(() => slow.read(path));
    const plan = await detectApart(
      { ...slow, read: (path) => (path === 'package.json' ? read(path) : slow.read(path)) },
      NOTHING_SET,
      waitMs - 500,
    );
    expect(plan.framework).toBe('vite');
  });
});
