import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../config.ts';
import { judgeBackups, databaseChecks, judgeHost, judgeMysql, judgePostgresql } from './database-checks.ts';

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

  it('are fine when every database has a young one, or is young itself', () => {
    const young = { ...state, createdAt: hoursAgo(3), lastReadyAt: null };
    expect(judgeBackups([], now).status).toBe('ok');
    expect(judgeBackups([state, young], now).status).toBe('ok');
  });

  it('are told of when one failed, or is missing for two days', () => {
    expect(judgeBackups([state, { ...state, lastError: 'The disk is full' }], now)).toMatchObject({
      status: 'warn',
      found: expect.stringContaining('The disk is full'),
    });
    expect(judgeBackups([{ ...state, lastReadyAt: hoursAgo(50) }], now).status).toBe('warn');
  });
});
