import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingsPrefix } from './settings-prefix.ts';

const usual = { home: join(homedir(), '.lilac'), port: 7080, databaseUrl: null };

describe('a command that is told to a person', () => {
  it('needs nothing before it where the installation is the usual one', () => {
    expect(settingsPrefix(usual)).toBe('');
  });

  it('names the home and the port that are not, fit for a shell', () => {
    expect(settingsPrefix({ ...usual, home: '/srv/lilac', port: 7090 })).toBe('LILAC_HOME=/srv/lilac LILAC_PORT=7090 ');
    expect(settingsPrefix({ ...usual, home: "/srv/it's lilac" })).toBe(String.raw`LILAC_HOME='/srv/it'\''s lilac' `);
  });

  it('never shows the address of the store, which holds a password', () => {
    expect(settingsPrefix({ ...usual, databaseUrl: 'postgresql://u:hunter2@h/d' })).toBe('LILAC_DATABASE_URL=… ');
  });
});
