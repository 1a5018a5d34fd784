import { describe, expect, it } from 'vitest';
import { databaseClient } from './database-client.ts';

describe('databaseClient', () => {
  it('gives psql every part by its environment', () => {
    const { programs, environment } = databaseClient(
      'postgresql://app:p%40ss%2Fword@db.example.org:6001/shop?sslmode=require',
    );
    expect(programs).toEqual([{ name: 'psql', args: [] }]);
    expect(environment).toEqual({
      PGHOST: 'db.example.org',
      PGPORT: '6001',
      PGUSER: 'app',
      PGPASSWORD: 'p@ss/word',
      PGDATABASE: 'shop',
      PGSSLMODE: 'require',
    });
  });

  it('asks mariadb and mysql for encryption in their own words, with the password in neither', () => {
    const ssl = encodeURIComponent('{"rejectUnauthorized":false}');
    const { programs, environment } = databaseClient(`mysql://app:secret@[::1]:6002/shop?ssl=${ssl}`);
    expect(environment).toEqual({ MYSQL_PWD: 'secret' });
    const common = ['--protocol=tcp', '--host=::1', '--port=6002', '--user=app', '--database=shop'];
    expect(programs).toEqual([
      { name: 'mariadb', args: [...common, '--ssl', '--skip-ssl-verify-server-cert'] },
      { name: 'mysql', args: [...common, '--ssl-mode=REQUIRED'] },
    ]);
  });
});
