import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { syncFileSystem } from './sync-file-system.ts';

it('writes a file system to the disk', async () => {
  expect(await syncFileSystem(tmpdir(), Infinity)).toBe(true);
});

it('does not where too much waits to be written', async () => {
  expect(await syncFileSystem(tmpdir(), -1)).toBe(false);
});

it('says so where it failed', async () => {
  expect(await syncFileSystem(join(tmpdir(), 'lilac-not-there'), Infinity)).toBe(false);
});
