import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { measureFolders } from './measure-folders.ts';

const MEBIBYTE = 1024 ** 2;
const never = new AbortController().signal;

function folderWith(mebibytes: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-measured-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'total'));
  writeFileSync(join(folder, 'total', 'file'), Buffer.alloc(mebibytes * MEBIBYTE, 1));
  return folder;
}

it('is what all of them take together', async () => {
  const bytes = await measureFolders([folderWith(1), folderWith(2)], never);
  expect(bytes).toBeGreaterThanOrEqual(3 * MEBIBYTE);
  expect(bytes).toBeLessThan(4 * MEBIBYTE);
});

it('forgives what has gone meanwhile', async () => {
  const gone = folderWith(1);
  rmSync(gone, { recursive: true });
  expect(await measureFolders([folderWith(1), gone], never)).toBeGreaterThanOrEqual(MEBIBYTE);
});

it('is not said where something could not be looked at', async () => {
  const notAFolder = join(folderWith(1), 'total', 'file', 'deeper');
  await expect(measureFolders([folderWith(1), notAFolder], never)).rejects.toThrow('Not a directory');
});

it('ends with who asked', async () => {
  await expect(measureFolders([folderWith(1)], AbortSignal.abort())).rejects.toThrow('aborted');
});
