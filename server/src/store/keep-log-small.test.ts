import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { keepLogSmall } from './keep-log-small.ts';

it('a log that has become too large goes on at its beginning, also for who has it open', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'store.log');
  keepLogSmall(path, 10);
  const log = openSync(path, 'a', 0o600);
  writeSync(log, 'short\n');
  keepLogSmall(path, 10);
  expect(existsSync(`${path}.1`)).toBe(false);
  writeSync(log, 'and no longer\n');
  keepLogSmall(path, 10);
  writeSync(log, 'next\n');
  closeSync(log);
  expect(readFileSync(`${path}.1`, 'utf8')).toBe('short\nand no longer\n');
  expect(readFileSync(path, 'utf8')).toBe('next\n');
  expect(statSync(`${path}.1`).mode & 0o777).toBe(0o600);
});
