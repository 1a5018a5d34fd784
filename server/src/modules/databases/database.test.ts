import mysql from 'mysql2';
import { describe, expect, it } from 'vitest';
import { assertNetwork, connectionString, newPassword, readTier } from './database.ts';

describe('a network that may connect', () => {
  it.each([
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['203.0.113.7', '203.0.113.7/32'],
    [' 10.0.0.0/8 ', '10.0.0.0/8'],
    ['10.255.255.255/9', '10.128.0.0/9'],
    ['1.2.3.4/0', '0.0.0.0/0'],
    ['2001:DB8:0:0::7/32', '2001:db8::/32'],
    ['2001:db8::ffff/127', '2001:db8::fffe/127'],
    ['::1', '::1/128'],
    ['ffff::/0', '::/0'],
    ['::ffff:1.2.3.4/112', '::ffff:102:0/112'],
  ])('%s is kept as %s', (given, kept) => {
    expect(assertNetwork(given)).toBe(kept);
  });

  it.each([
    '',
    'anywhere',
    '203.0.113.0/33',
    '203.0.113.0/-1',
    '203.0.113.0/',
    '1.2.3/8',
    '::/129',
    'fe80::1%eth0/64',
    '1.2.3.4/24/8',
    '0/0',
    '010.0.0.1/8',
  ])('"%s" is none, and is named', (given) => {
    expect(() => assertNetwork(given)).toThrow(`"${given}"`);
  });
});

describe('what a tier gives', () => {
  it('is known of the shared ones, and read from the name of the others', () => {
    expect(readTier('db-f1-micro')).toEqual({ cpus: 0.25, memoryMb: 614 });
    expect(readTier('db-custom-2-7680')).toEqual({ cpus: 2, memoryMb: 7680 });
    for (const none of ['db-custom-0-7680', 'db-custom-2', 'db-large', '']) expect(readTier(none)).toBeNull();
  });
});

describe('the address that clients are given', () => {
  const row = { database_type: 'postgresql', database_name: 'shop', admin_user: 'ada' } as const;

  it('demands encryption from outside', () => {
    const at = { host: 'db.example.org', port: 15_001 };
    expect(connectionString(row, { password: 'p', at, isOutside: true })).toBe(
      'postgresql://ada:p@db.example.org:15001/shop?sslmode=require',
    );
    expect(connectionString({ ...row, database_type: 'mysql' }, { password: 'p', at, isOutside: true })).toBe(
      'mysql://ada:p@db.example.org:15001/shop?ssl=%7B%22rejectUnauthorized%22%3Afalse%7D',
    );
    for (const database_type of ['postgresql', 'mysql'] as const) {
      const inside = connectionString({ ...row, database_type }, { password: 'p', at, isOutside: false });
      expect(new URL(inside).search).toBe('');
    }
  });

  it('makes a client of MySQL encrypt that is given nothing else', async () => {
    const at = { host: 'db.example.org', port: 15_001 };
    const text = connectionString({ ...row, database_type: 'mysql' }, { password: 'p', at, isOutside: true });
    const pool = mysql.createPool(text);
    // Nobody is connected to before the first question.
    const { config } = pool as unknown as { config: { connectionConfig: { ssl: unknown; database: string } } };
    expect(config.connectionConfig).toMatchObject({ ssl: { rejectUnauthorized: false }, database: 'shop' });
    await pool.promise().end();
  });

  it('holds any password that is allowed, and any host', () => {
    const password = 'a/b@c:d?e#f%g&h[ü';
    const url = new URL(connectionString(row, { password, at: { host: '2001:db8::1', port: 5 }, isOutside: false }));
    expect(decodeURIComponent(url.password)).toBe(password);
    expect(url.host).toBe('[2001:db8::1]:5');
  });

  it('holds a password of its own making as it is', () => {
    const password = newPassword();
    expect(password).toHaveLength(32);
    expect(encodeURIComponent(password)).toBe(password);
  });
});
