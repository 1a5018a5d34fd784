import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../config.ts';
import { databaseChecks, judgeHost, judgeMysql, judgePostgresql } from './database-checks.ts';

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
