import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
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
