import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { createLog } from '../lib/log.ts';
import { nameStore, openRoleStore } from './open-role-store.ts';

const nameOf = (url: string) => nameStore(readConfig({ LILAC_DATABASE_URL: url }));

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
    const lifeline = {
      signal: stopping.signal,
      isFinal: () => false,
      send: () => Promise.resolve(),
      onMessage: () => {},
    };
    const config = readConfig({ LILAC_DATABASE_URL: 'postgresql://lilac@127.0.0.1:1/lilac' });
    const opening = openRoleStore(
      { config, lifeline, log: createLog({ level: 'silent', role: 'api' }), place: 0 },
      { applicationName: 'api', max: 1 },
    );
    stopping.abort();
    await expect(opening).rejects.toMatchObject({ name: 'AbortError' });
  });
});
