import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeWhole } from './write-whole.ts';

it.each([false, true])('takes the place of what was there, and leaves nothing beside it (synced: %s)', (isSynced) => {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-whole-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'record.json');
  writeWhole(path, 'before', { mode: 0o600, isSynced });
  const { ino, mode } = statSync(path);
  expect(mode & 0o777).toBe(0o600);
  writeWhole(path, 'é', { mode: 0o600, isSynced });
  expect(readFileSync(path, 'utf8')).toBe('é');
  expect(statSync(path).ino, 'who has the one before open reads on in it').not.toBe(ino);
  expect(readdirSync(folder)).toEqual(['record.json']);
});
