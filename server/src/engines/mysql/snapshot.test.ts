import {
  copyFileSync,
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
import { describe, expect, it, onTestFinished } from 'vitest';
import { copyUnfollowed } from '../files/copy-unfollowed.ts';
import { copyConsistently } from './snapshot.ts';

describe('a copy of a server that runs', () => {
  it('has the data and the logs, and nothing that belongs to this server alone', async () => {
    const { home, target } = newHome();
    for (const name of ['mysql.sock', 'binlog.000001', 'relay.000002', 'master.info', 'ibtmp1', 'lilac.json']) {
      writeFileSync(join(home, name), '');
    }
    mkdirSync(join(home, 'tmp'));
    expect(await copyConsistently(home, target)).toBe(true);
    expect(readdirSync(target, { recursive: true, encoding: 'utf8' }).toSorted()).toEqual([
      'aria_log.00000001',
      'aria_log_control',
      'ib_logfile0',
      'ibdata1',
      'shop',
      'shop/goods.ibd',
    ]);
  });

  it.each([
    ['ib_logfile0', 'goods.ibd', false],
    ['aria_log_control', 'ibdata1', false],
    // The logs are copied last, and what comes after them changes nothing of the copy.
    ['ib_logfile0', 'ib_logfile0', true],
    ['ibdata1', 'goods.ibd', true],
  ])('when %s changes while %s is copied is good: %s', async (changed, during, expected) => {
    const { home, target } = newHome();
    const isGood = await copyConsistently(home, target, async (from, to) => {
      copyFileSync(from, to);
      if (basename(from) === during) writeFileSync(join(home, changed), 'another checkpoint');
    });
    expect(isGood).toBe(expected);
  });

  it('has nothing of what links point at, whenever they come', async () => {
    const { home, target } = newHome();
    const outside = join(home, '..', 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'goods.ibd'), 'a secret');
    symlinkSync(join(outside, 'goods.ibd'), join(home, 'shop', 'linked.ibd'));
    // Between the look and the copying: the folder, and a file.
    const isGood = await copyConsistently(home, target, async (from, to) => {
      if (basename(from) === 'ibdata1') {
        renameSync(join(home, 'shop'), join(home, 'was-shop'));
        symlinkSync(outside, join(home, 'shop'));
        rmSync(join(home, 'ibdata1'));
        symlinkSync(join(outside, 'goods.ibd'), join(home, 'ibdata1'));
      }
      await copyUnfollowed(from, to);
    });
    expect(isGood).toBe(true);
    expect(readdirSync(target)).not.toContain('ibdata1');
    expect(readdirSync(join(target, 'shop'))).toEqual(['goods.ibd']);
    expect(readFileSync(join(target, 'shop', 'goods.ibd'), 'utf8')).toBe('shop/goods.ibd as it was');
  });

  it('is refused by default where a file has become a link', async () => {
    const { home, target } = newHome();
    rmSync(join(home, 'ib_logfile0'));
    symlinkSync('/etc/hostname', join(home, 'ib_logfile0'));
    await expect(copyConsistently(home, target)).rejects.toThrow(/ELOOP/);
  });
});

function newHome() {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-snapshot-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [home, target] = [join(folder, 'home'), join(folder, 'copy')];
  mkdirSync(join(home, 'shop'), { recursive: true });
  for (const name of ['ibdata1', 'ib_logfile0', 'aria_log.00000001', 'aria_log_control', 'shop/goods.ibd']) {
    writeFileSync(join(home, name), `${name} as it was`);
  }
  return { home, target };
}
