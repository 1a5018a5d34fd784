import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../config.ts';
import {
  judgeBackups,
  judgeStates,
  databaseChecks,
  judgeHost,
  judgeMysql,
  judgePostgresql,
} from './database-checks.ts';

describe('what is told about databases', () => {
  it('which PostgreSQL new ones are made with, and what else is there', () => {
    const [host, npm] = [{ version: '15.18', origin: 'host' } as const, { version: '18.4', origin: 'npm' } as const];
    expect(judgePostgresql([npm, host])).toMatchObject({
      status: 'ok',
      found: 'PostgreSQL 18.4 (npm’s); also 15.18 (this machine’s)',
    });
    expect(judgePostgresql([npm]).found).toBe('PostgreSQL 18.4 (npm’s)');
    expect(judgePostgresql([])).toMatchObject({ status: 'warn', advice: 'Install PostgreSQL 14 or newer.' });
  });

  it('which MariaDB there is, or what to install', () => {
    const programs = { series: '10.11', server: '/usr/sbin/mariadbd', installer: '/usr/bin/mariadb-install-db' };
    expect(judgeMysql({ programs, missing: null })).toMatchObject({
      status: 'ok',
      found: 'MariaDB 10.11 (/usr/sbin/mariadbd)',
    });
    expect(judgeMysql({ programs: null, missing: 'Install it.' })).toMatchObject({
      status: 'warn',
      advice: 'Install it.',
    });
  });

  it('what keeps them less apart than they should be', () => {
    expect(judgeHost([]).status).toBe('ok');
    expect(judgeHost(['One.', 'Two.'])).toMatchObject({ status: 'warn', found: 'One. Two.' });
  });

  it('every check finds something on this machine, and makes nothing where there is no home', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'lilac-doctor-'));
    onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
    const home = join(parent, 'home');
    const host = { config: readConfig({ LILAC_HOME: home }), environment: { PATH: '/usr/bin:/bin' } };
    for (const check of databaseChecks.checks) expect((await check.look(host)).found).not.toBe('');
    expect(existsSync(home)).toBe(false);
  });
});

describe('backups of databases', () => {
  const now = new Date('2026-11-15T12:00:00Z');
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  const state = {
    databaseId: 'db_1',
    name: 'Shop',
    createdAt: hoursAgo(100),
    lastReadyAt: hoursAgo(3),
    lastError: null,
  };

  it('are counted by what there is, and fine while those without one are young', () => {
    const young = { ...state, createdAt: hoursAgo(3), lastReadyAt: null };
    expect(judgeBackups([], now).status).toBe('ok');
    expect(judgeBackups([state, young, young], now)).toMatchObject({
      status: 'ok',
      found: '1 of 3 databases have a backup of the last 26 hours; 2 were never backed up',
    });
    expect(judgeBackups([state], now).found).toBe('1 of 1 databases have a backup of the last 26 hours');
  });

  it('are told of when one failed, or is overdue', () => {
    expect(judgeBackups([state, { ...state, lastError: 'The disk is full' }], now)).toMatchObject({
      status: 'warn',
      found: expect.stringContaining('the last of Shop (db_1) failed: The disk is full'),
    });
    expect(judgeBackups([state, { ...state, lastReadyAt: hoursAgo(27) }], now)).toMatchObject({
      status: 'warn',
      found: '1 of 2 databases have a backup of the last 26 hours; that of Shop (db_1) is overdue',
    });
    expect(judgeBackups([{ ...state, lastReadyAt: null }], now)).toMatchObject({
      status: 'warn',
      found: expect.stringMatching(/^0 of 1 .*1 was never backed up; that of Shop \(db_1\) is overdue$/),
    });
  });
});

describe('the state of databases', () => {
  const now = new Date('2026-11-15T12:00:00Z');
  const well = { id: 'db_1', name: 'Shop', status: 'healthy', error: null, updated_at: new Date(0) } as const;
  const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

  it('is fine when all are well, or being worked on', () => {
    const moving = { ...well, status: 'updating', updated_at: minutesAgo(2) } as const;
    expect(judgeStates([], now).status).toBe('ok');
    expect(judgeStates([well, moving], now)).toMatchObject({ status: 'ok', found: 'all 2 are well' });
  });

  it('names those that are not, and those that nothing moves any more', () => {
    const degraded = { ...well, id: 'db_2', status: 'degraded', error: 'Its server is down.' } as const;
    const stuck = { ...well, id: 'db_3', status: 'deleting', updated_at: minutesAgo(20) } as const;
    const retried = { ...well, id: 'db_4', status: 'updating', error: 'Not yet.', updated_at: minutesAgo(1) } as const;
    expect(judgeStates([well, degraded, stuck, retried], now)).toMatchObject({
      status: 'warn',
      found: 'Shop (db_2) is degraded: Its server is down.; Shop (db_3) is deleting; Shop (db_4) is updating',
    });
    expect(judgeStates([stuck], now).found).toBe(
      'Shop (db_3) is deleting: nothing has happened since 2026-11-15 11:40',
    );
    expect(judgeStates([retried], now).found).toBe('Shop (db_4) is updating: Not yet.');
  });
});
