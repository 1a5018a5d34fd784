import { describe, expect, it } from 'vitest';
import { findPrograms, inOrder, readVersion, type PostgresqlPrograms } from './programs.ts';

const found = (series: number, origin: PostgresqlPrograms['origin']): PostgresqlPrograms => ({
  series,
  version: `${series}.1`,
  origin,
  folder: '',
  initdb: '',
  postgres: '',
});
const names = (programs: PostgresqlPrograms[]) => programs.map(({ series, origin }) => `${origin} ${series}`);

describe('which PostgreSQL is used', () => {
  it('is the newest, of two alike the host’s, and none that is too old', () => {
    const all = [found(18, 'npm'), found(13, 'host'), found(15, 'host'), found(18, 'host'), found(17, 'host')];
    expect(names(inOrder(all))).toEqual(['host 18', 'npm 18', 'host 17', 'host 15']);
  });

  it('is the one that the operator names', () => {
    const all = [found(18, 'npm'), found(15, 'setting'), found(17, 'host')];
    expect(names(inOrder(all))).toEqual(['setting 15', 'npm 18', 'host 17']);
  });

  it.each([
    ['postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)', { series: 15, version: '15.18' }],
    ['postgres (PostgreSQL) 18.4', { series: 18, version: '18.4' }],
    ['postgres (PostgreSQL) 19beta1', { series: 19, version: '19' }],
    ['something else', null],
  ])('%s', (output, expected) => {
    expect(readVersion(output)).toEqual(expected);
  });

  it('is found on this machine, and a folder without programs is none', async () => {
    const programs = await findPrograms('/nowhere');
    expect(programs.length).toBeGreaterThan(0);
    expect(programs.every(({ origin }) => origin !== 'setting')).toBe(true);
  });
});
