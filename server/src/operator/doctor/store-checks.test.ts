import { describe, expect, it } from 'vitest';
import { judgeExternal, judgeSchema } from './store-checks.ts';

const now = new Date('2027-01-01T00:00:00Z');

describe('store.server with LILAC_DATABASE_URL', () => {
  it('fails below PostgreSQL 14', () => {
    expect(judgeExternal({ version: '13.9', majorVersion: 13, now }, now).status).toBe('fail');
    expect(judgeExternal({ version: '14.0', majorVersion: 14, now }, now).status).toBe('ok');
  });

  it('warns when the clocks are apart', () => {
    const later = new Date(now.getTime() + 60_000);
    expect(judgeExternal({ version: '18.4', majorVersion: 18, now: later }, now)).toMatchObject({
      status: 'warn',
      found: expect.stringContaining('60 s apart') as string,
    });
  });
});

describe('store.schema', () => {
  const known = ['0001-foundation', '0002-more', '0003-yet-more'];

  it('tells how far behind the tables are', () => {
    expect(judgeSchema('0003-yet-more', known).status).toBe('ok');
    expect(judgeSchema('0001-foundation', known)).toMatchObject({
      status: 'warn',
      found: 'at 0001-foundation, 2 behind',
    });
    expect(judgeSchema(null, known)).toMatchObject({ status: 'warn', found: 'empty' });
  });
});
