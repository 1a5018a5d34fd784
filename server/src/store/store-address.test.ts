import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { pathsOf } from '../config.ts';
import { ensureStorePassword, storeAddressOf } from './store-address.ts';

it('the password is made once, for its owner alone', () => {
  const home = newHome();
  const { storePassword } = pathsOf({ home });
  const password = ensureStorePassword(storePassword);
  expect(password.length).toBeGreaterThanOrEqual(32);
  expect(statSync(storePassword).mode & 0o777).toBe(0o600);
  expect(ensureStorePassword(storePassword)).toBe(password);
  expect(storeAddressOf({ home, databaseUrl: null })).toEqual({
    kind: 'socket',
    directory: join(home, 'store', 'data'),
    password,
  });
});

it('a store of the operator needs no password of ours', () => {
  const url = 'postgresql://lilac@db.example.org/lilac';
  expect(storeAddressOf({ home: newHome(), databaseUrl: url })).toEqual({ kind: 'url', url });
});

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'lilac-address-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return home;
}
