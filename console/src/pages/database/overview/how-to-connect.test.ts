import { describe, expect, it } from 'vitest';
import { connectionParts, waysToConnect } from './how-to-connect.ts';

const postgresql = 'postgresql://user_a:p%40ss@db.example.org:15001/db_a?sslmode=require';
const mysql = 'mysql://user_a:secret@[2001:db8::1]:15002/db_a?ssl=%7B%7D';

describe('a connection string', () => {
  it('has parts, as they are typed', () => {
    expect(connectionParts(postgresql)).toEqual({
      host: 'db.example.org',
      port: '15001',
      user: 'user_a',
      password: 'p@ss',
      database: 'db_a',
    });
    expect(connectionParts(mysql).host).toBe('2001:db8::1');
  });
});

describe('how to connect', () => {
  it('never shows the password, which would stay in the history of a shell', () => {
    const all = [...waysToConnect('postgresql', postgresql), ...waysToConnect('mysql', mysql)];
    expect(all.map(({ code }) => code).join('\n')).not.toMatch(/p%40ss|p@ss|secret/);
  });

  it('names the client of the engine', () => {
    expect(waysToConnect('postgresql', postgresql)[0]!.code).toBe(
      "psql 'postgresql://user_a@db.example.org:15001/db_a?sslmode=require'",
    );
    expect(waysToConnect('mysql', mysql)[0]!.code).toBe('mariadb --ssl -h 2001:db8::1 -P 15002 -u user_a -p db_a');
  });

  it('speaks of certificates only where connections are encrypted', () => {
    const inner = postgresql.replace('?sslmode=require', '');
    expect(waysToConnect('postgresql', inner)[1]!.hint).toBeUndefined();
    expect(waysToConnect('postgresql', postgresql)[1]!.hint).toContain('no-verify');
  });
});
