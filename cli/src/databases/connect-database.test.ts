import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lilac } from '../testing/lilac.ts';
import { startPlatformDouble } from '../testing/start-platform-double.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'lilac-connect-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const database = { id: 'db_1', name: 'Shop', status: 'healthy', public_ip_enabled: true };
const page = (items: object[]) => ({ items, totalItems: items.length, totalPages: 1, currentPage: 1 });

async function startWith(overrides: object = {}) {
  const connectionString = 'postgresql://app:s3cret@localhost:6001/shop?sslmode=require';
  const platform = await startPlatformDouble({
    '/api/databases': { body: page([database]) },
    '/api/databases/get': { body: { ...database, ...overrides } },
    '/api/databases/connection-string': { body: { connectionString } },
  });
  const environment = { LILAC_API_URL: platform.url, LILAC_TOKEN: 'lc_key', PATH: `${folder}:/usr/bin:/bin` };
  return { environment, [Symbol.dispose]: () => platform[Symbol.dispose]() };
}

describe('lilac db connect', () => {
  it('starts the client with the password in its environment only, and ends as it does', async () => {
    using platform = await startWith();
    const said = join(folder, 'said');
    const script = `#!/bin/sh\necho "$# $PGUSER $PGPASSWORD $PGHOST $PGPORT $PGDATABASE $PGSSLMODE" > '${said}'; exit 7\n`;
    writeFileSync(join(folder, 'psql'), script, { mode: 0o755 });
    for (const named of ['db_1', 'shop']) {
      const { exitCode, out, err } = await lilac(`db connect ${named}`, platform.environment);
      expect({ exitCode, out, err }).toEqual({ exitCode: 7, out: '', err: '' });
      expect(readFileSync(said, 'utf8')).toBe('0 app s3cret localhost 6001 shop require\n');
    }
  });

  it('says what to install where there is no client, and what else answers', async () => {
    using platform = await startWith();
    const { exitCode, err } = await lilac('db connect db_1', { ...platform.environment, PATH: folder });
    expect({ exitCode, err }).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('apt install postgresql-client'),
    });
  });

  it('does not try what nobody outside reaches, what is not there yet, or what nobody knows', async () => {
    using hidden = await startWith({ public_ip_enabled: false });
    expect((await lilac('db connect db_1', hidden.environment)).err).toContain('no public address');
    using young = await startWith({ status: 'provisioning' });
    expect((await lilac('db connect db_1', young.environment)).err).toContain('still being made');
    expect((await lilac('db connect other', young.environment)).err).toContain('There is no database "other"');
  });
});
