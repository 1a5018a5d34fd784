import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { run } from './exec.ts';
import { LockHeld, tryLock } from './file-lock.ts';

it('is held by one, and says by whom', () => {
  const path = newLockPath();
  const release = tryLock(path);
  expect(() => tryLock(path)).toThrow(LockHeld);
  release();
  tryLock(path)();
  expect(existsSync(path)).toBe(false);
});

it.each([
  ['a process that is gone', JSON.stringify({ pid: 4_000_000, startTime: '1' })],
  ['a pid that belongs to another process by now', JSON.stringify({ pid: process.pid, startTime: '1' })],
  ['nobody that could be read', 'nonsense'],
])('is taken over from %s', (_who, text) => {
  const path = newLockPath();
  writeFileSync(path, text);
  tryLock(path);
  expect(() => tryLock(path)).toThrow(LockHeld);
});

it('goes to one of many who find it abandoned at once', async () => {
  const path = newLockPath();
  writeFileSync(path, JSON.stringify({ pid: 4_000_000, startTime: '1' }));
  const program = `
    import { tryLock } from ${JSON.stringify(join(import.meta.dirname, 'file-lock.ts'))};
    while (Date.now() < ${Date.now() + 1500});
    try { tryLock(${JSON.stringify(path)}); console.log('mine'); } catch { }
    // Held until the slowest has tried: a holder that has ended is abandoned, and rightly succeeded.
    setTimeout(() => {}, 3000);`;
  const argv = [process.execPath, '--input-type=module', '--eval', program] as const;
  const contenders = await Promise.all(Array.from({ length: 4 }, () => run(argv, { env: {} })));
  expect(contenders.map((each) => each.stdout).join('')).toBe('mine\n');
  expect(readdirSync(join(path, '..'))).toEqual(['lock']);
});

function newLockPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'lock');
}
