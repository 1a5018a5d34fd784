import { spawnSync } from 'node:child_process';
import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { withFileLock } from './with-file-lock.ts';

describe('withFileLock', () => {
  it('lets one in at a time, and leaves nothing behind', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'deeper', 'lock');
    let inside = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++inside);
      await pause(5);
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 6 }, () => withFileLock(file, work)));
    expect(most).toBe(1);
    expect(existsSync(file)).toBe(false);
  });

  it('is given back when the work fails', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'lock');
    await expect(withFileLock(file, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await withFileLock(file, async () => 'in')).toBe('in');
  });

  it('is taken from a process that was killed, by one of those that wait', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'lock');
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(file, `${pid} ${hostname()}`);
    const order: string[] = [];
    const work = (name: string) => async () => {
      order.push(`${name} in`);
      await pause(5);
      order.push(`${name} out`);
    };
    await Promise.all([withFileLock(file, work('a')), withFileLock(file, work('b'))]);
    expect(order).toEqual(
      order[0] === 'a in' ? ['a in', 'a out', 'b in', 'b out'] : ['b in', 'b out', 'a in', 'a out'],
    );
  });

  it('is taken from another machine that was not heard of for long', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'lock');
    writeFileSync(file, `${process.pid} elsewhere`);
    utimesSync(file, new Date(0), new Date(0));
    expect(await withFileLock(file, async () => 'in')).toBe('in');
  });
});
