import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { largestStorageGb, largestThat } from './largest-storage.ts';

describe('the largest storage', () => {
  it('is what the disk has in all, or the largest file that it takes, and nothing is left of the question', async () => {
    const home = mkdtempSync(join(tmpdir(), 'lilac-largest-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const folder = join(home, 'databases');
    const largest = await largestStorageGb(folder);
    const { bsize, blocks } = statfsSync(home);
    expect(largest).toBeGreaterThanOrEqual(10);
    expect(largest).toBeLessThanOrEqual(Math.max(10, Math.ceil((bsize * blocks) / 1024 ** 3)));
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([0, 1, 7, 14_894, 14_895, 65_535, 65_536])('is found where the file system ends at %i', async (end) => {
    expect(await largestThat(65_536, (value) => Promise.resolve(value <= end))).toBe(end);
  });
});
