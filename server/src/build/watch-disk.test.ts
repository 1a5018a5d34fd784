import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { BuildFailed } from './builder.ts';
import { watchDisk } from './watch-disk.ts';

const MEBIBYTE = 1024 ** 2;

it('tells once the folders together hold more than they may, and not before', async () => {
  const folders = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'lilac-disk-')));
  onTestFinished(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));
  using enough = watchDisk(folders, 100 * MEBIBYTE, 10);
  using watch = watchDisk(folders, 3 * MEBIBYTE, 10);
  for (const folder of folders) {
    expect(watch.signal.aborted).toBe(false);
    writeFileSync(join(folder, 'file'), Buffer.alloc(2 * MEBIBYTE, 1));
  }
  await eventually('it is told', () => watch.signal.aborted);
  expect(watch.signal.reason).toBeInstanceOf(BuildFailed);
  expect(enough.signal.aborted).toBe(false);
});
