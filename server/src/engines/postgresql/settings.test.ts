import { describe, expect, it } from 'vitest';
import { settingIn, settingsFile, settingsOf } from './settings.ts';

const MICRO = { memoryMb: 614, cpus: 0.25, storageGb: 10 };
const wanted = { series: 18, port: 15_000, size: MICRO };
const megabytes = (value: string | undefined) => Number(/^(\d+)MB$/.exec(value ?? '')?.[1]);

describe('settings for a size', () => {
  it.each([
    ['the smallest tier', { memoryMb: 614, cpus: 0.25, storageGb: 1 }],
    ['the small tier', { memoryMb: 1740, cpus: 0.5, storageGb: 10 }],
    ['a dedicated one', { memoryMb: 8192, cpus: 4, storageGb: 100 }],
    ['the largest', { memoryMb: 624 * 1024, cpus: 96, storageGb: 65_536 }],
  ])('%s: everything fits into its memory and storage', (_name, size) => {
    const settings = settingsOf({ ...wanted, size });
    const connections = Number(settings.max_connections);
    const working = megabytes(settings.shared_buffers) + connections * megabytes(settings.work_mem);
    expect(working).toBeLessThan(size.memoryMb * 0.6);
    expect(connections).toBeGreaterThanOrEqual(25);
    expect(megabytes(settings.max_wal_size) + megabytes(settings.max_slot_wal_keep_size)).toBeLessThan(
      size.storageGb * 1024 * 0.3,
    );
    expect(megabytes(settings.min_wal_size)).toBeLessThanOrEqual(megabytes(settings.max_wal_size));
  });

  it('names nothing that an older series does not know', () => {
    expect(settingsOf({ ...wanted, series: 15 })).not.toHaveProperty('io_method');
    expect(settingsOf(wanted)).toHaveProperty('io_method', 'sync');
    expect(settingsOf({ ...wanted, series: 15 })).not.toHaveProperty('reserved_connections');
    expect(settingsOf(wanted)).toHaveProperty('reserved_connections');
  });

  it('gives a standby as many connections as its primary has', () => {
    expect(settingsOf({ ...wanted, atLeastConnections: 400 }).max_connections).toBe('400');
    expect(settingsOf({ ...wanted, atLeastConnections: 3 }).max_connections).toBe('60');
  });

  it('follows somebody only where it is told whom', () => {
    expect(settingsOf(wanted)).not.toHaveProperty('primary_conninfo');
    const follows = { conninfo: "host=127.0.0.1 password='x'", slot: 'dbs_2' };
    expect(settingsOf({ ...wanted, follows })).toMatchObject({
      primary_conninfo: follows.conninfo,
      primary_slot_name: 'dbs_2',
    });
  });

  it('can be read again from the file', () => {
    const file = settingsFile({ primary_conninfo: "password='it''s'", max_connections: '50' });
    expect(file).toContain("primary_conninfo = 'password=''it''''s'''");
    expect(settingIn(file, 'primary_conninfo')).toBe("password='it''s'");
    expect(settingIn(file, 'max_connections')).toBe('50');
    expect(settingIn(file, 'port')).toBeNull();
  });
});
