import { describe, expect, it } from 'vitest';
import { argumentsOf, serverNumber, settingsOf, type SettingsWanted } from './settings.ts';

const micro: SettingsWanted = {
  serverId: 'dbs_1',
  port: 3306,
  role: 'primary',
  size: { memoryMb: 614, cpus: 0.25, storageGb: 1 },
  innerHome: '/home-of-it',
  isFollowed: false,
  isSynchronous: false,
};

describe('the settings of a server', () => {
  it('fit its size', () => {
    const megabytes = (wanted: Partial<SettingsWanted['size']>, name: string) =>
      Number.parseInt(settingsOf({ ...micro, size: { ...micro.size, ...wanted } })[name] ?? '', 10);
    expect(megabytes({}, 'innodb-buffer-pool-size')).toBeLessThan(614 / 2);
    expect(megabytes({ memoryMb: 16_384 }, 'innodb-buffer-pool-size')).toBeGreaterThan(8000);
    // What it writes besides the data leaves most of the storage to that.
    for (const storageGb of [1, 10, 1000]) {
      const redo = megabytes({ memoryMb: 65_536, storageGb }, 'innodb-log-file-size');
      expect(redo).toBeLessThanOrEqual((storageGb * 1024) / 10);
    }
    expect(settingsOf(micro)['innodb-temp-data-file-path']).toMatch(/max:256M$/);
  });

  it('keep the log for a standby only where there is one', () => {
    expect(settingsOf(micro)).not.toHaveProperty('log-bin');
    expect(settingsOf({ ...micro, isFollowed: true })).toMatchObject({
      'log-bin': 'binlog',
      'sync-binlog': '1',
      'rpl-semi-sync-master-enabled': 'OFF',
      'read-only': 'OFF',
    });
    expect(settingsOf({ ...micro, isFollowed: true, isSynchronous: true })).toMatchObject({
      'rpl-semi-sync-master-enabled': 'ON',
      'rpl-semi-sync-master-wait-point': 'AFTER_SYNC',
      'innodb-flush-log-at-trx-commit': '1',
    });
  });

  it('of a standby let nobody write, and never wait for another', () => {
    expect(settingsOf({ ...micro, role: 'standby', isFollowed: true, isSynchronous: true })).toMatchObject({
      'read-only': 'ON',
      'rpl-semi-sync-master-enabled': 'OFF',
      'rpl-semi-sync-slave-enabled': 'ON',
      'log-bin': 'binlog',
    });
  });

  it('are all on the command line', () => {
    expect(argumentsOf({ port: '3306', 'log-bin': 'binlog' })).toEqual([
      '--no-defaults',
      '--port=3306',
      '--log-bin=binlog',
    ]);
  });

  it('number servers, each by its id', () => {
    expect(serverNumber('dbs_1')).not.toBe(serverNumber('dbs_2'));
    expect(serverNumber('dbs_1')).toBe(serverNumber('dbs_1'));
  });
});
