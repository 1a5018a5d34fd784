import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { whyClosed } from './closed-home.ts';

const SOMEBODY = 4711;

it('a home is closed to everybody but its owner and root', () => {
  const home = mkdtempSync(join(tmpdir(), 'lilac-doctor-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  expect(whyClosed(home, SOMEBODY)).toContain(`somebody else (uid ${process.getuid?.()})`);
  expect(whyClosed(home)).toBeNull();
  expect(whyClosed(home, 0)).toBeNull();
});

it('a home that is not there yet is closed to nobody', () => {
  expect(whyClosed(join(tmpdir(), 'lilac-doctor-none'), SOMEBODY)).toBeNull();
});
