import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../../lib/exec.ts';
import { copyUnfollowed } from '../files/copy-unfollowed.ts';
import { copyRunning } from './base-copy.ts';

it('copies what a standby needs, and nothing of what links point at, whenever they come', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-base-copy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [home, target, outside] = [join(folder, 'home'), join(folder, 'copy'), join(folder, 'outside')];
  for (const path of ['base/5', 'base/6', 'pg_wal']) mkdirSync(join(home, path), { recursive: true });
  for (const path of ['PG_VERSION', 'a', 'postmaster.pid', 'base/5/1', 'base/6/1', 'pg_wal/0']) {
    writeFileSync(join(home, path), `${path} as it was`);
  }
  mkdirSync(target);
  mkdirSync(outside);
  writeFileSync(join(outside, '1'), 'a secret');
  symlinkSync(join(outside, '1'), join(home, 'linked'));
  await run(['mkfifo', join(home, 'pipe')], { env: { PATH: '/usr/bin:/bin' } });
  await copyRunning(home, target, undefined, async (from, to) => {
    if (basename(from) === 'PG_VERSION') {
      // After the folder was looked at, and before its other file is copied and its folders are.
      rmSync(join(home, 'a'));
      symlinkSync(join(outside, '1'), join(home, 'a'));
      renameSync(join(home, 'base', '6'), join(home, 'base', 'was-6'));
      symlinkSync(outside, join(home, 'base', '6'));
    }
    if (basename(from) === 'a') await new Promise((resolve) => setImmediate(resolve));
    return copyUnfollowed(from, to);
  });
  const copied = readdirSync(target, { recursive: true, encoding: 'utf8' }).toSorted();
  expect(copied).toEqual(
    [
      'PG_VERSION',
      'base',
      'base/5',
      'base/5/1',
      'base/was-6',
      'base/was-6/1',
      'pg_wal',
      'pg_wal/archive_status',
      'pg_wal/summaries',
    ].toSorted(),
  );
  expect(readFileSync(join(target, 'base/5/1'), 'utf8')).toBe('base/5/1 as it was');
});
