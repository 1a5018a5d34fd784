import { describe, expect, it } from 'vitest';
import { holdObjects } from '../backup/backup-store.ts';
import { readConfig } from '../config.ts';
import { currentMigration, migrate, migrationNames } from '../db/migrate.ts';
import { createLog } from '../lib/log.ts';
import { eventually } from '../testing/eventually.ts';
import { createTestStore } from '../testing/test-store.ts';
import { nameStore, openRoleStore } from './open-role-store.ts';

const nameOf = (url: string) => nameStore(readConfig({ LILAC_DATABASE_URL: url }));

const lifelineOf = (stopping: AbortController) => ({
  signal: stopping.signal,
  isFinal: () => false,
  send: () => Promise.resolve(),
  onMessage: () => {},
});

describe('waiting for the store', () => {
  it('names the setting and the place, and neither the user nor the password', () => {
    const name = 'the PostgreSQL that LILAC_DATABASE_URL names';
    expect(nameOf('postgresql://ada:secret@db.example.org:5433/lilac')).toBe(`${name} (db.example.org:5433/lilac)`);
    expect(nameOf('postgresql://localhost/lilac?host=/run/pg&password=secret')).toBe(`${name} (/run/pg/lilac)`);
    expect(nameOf('postgresql://ada:secret@/lilac')).toBe(name);
    expect(nameStore(readConfig({}))).toBe('the embedded store');
  });

  it('ends when the role is told to stop', async () => {
    const stopping = new AbortController();
    const lifeline = lifelineOf(stopping);
    const config = readConfig({ LILAC_DATABASE_URL: 'postgresql://lilac@127.0.0.1:1/lilac' });
    const opening = openRoleStore(
      { config, lifeline, log: createLog({ level: 'silent', role: 'api' }), place: 0 },
      { applicationName: 'api', max: 1 },
    );
    stopping.abort();
    await expect(opening).rejects.toMatchObject({ name: 'AbortError' });
  });
});

it('says that it waits for a backup before it brings the store up to date, and does it then', async () => {
  await using older = await createTestStore({ migrated: false });
  await migrate(older.db, { upTo: migrationNames().at(-2)! });
  const backup = older.newClient();
  await backup.connect();
  await holdObjects(backup);
  const lines: string[] = [];
  const log = createLog({ level: 'warn', role: 'api', destination: { write: (line) => void lines.push(line) } });
  const config = readConfig({ LILAC_DATABASE_URL: older.url });
  const lifeline = lifelineOf(new AbortController());
  const opening = openRoleStore({ config, lifeline, log, place: 0 }, { applicationName: 'api', max: 1 });
  await eventually('it says so', () => lines.length > 0);
  expect(JSON.parse(lines[0]!)).toMatchObject({
    level: 'warn',
    msg: 'Waiting to bring the store to the newest schema: a backup or a restore goes on',
  });
  await backup.end();
  const store = await opening;
  expect(await currentMigration(store.db)).toBe(migrationNames().at(-1));
  await store.close();
});
